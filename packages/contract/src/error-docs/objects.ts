import { EXAMPLE } from '../schema/ids.ts';
import type { ErrorDoc } from './error-doc.ts';

const SERVER_CONVERSATION = `/apps/${EXAMPLE.app}/conversations/${EXAMPLE.conversation}`;

/** Errors in the objects that a request is about. */
export const objectDocs = {
  not_found: {
    cause:
      'What the request names does not exist, or the caller may not see it; the answer does not tell which. `data.kind` and `data.id` say what is missing, and `data.property` where the body named it. A missing message or part has a 404 without a body over REST.',
    example: {
      caller: 'server',
      method: 'POST',
      path: `${SERVER_CONVERSATION}/messages`,
      body: { sender_id: 'nobody', parts: [{ mime_type: 'text/plain', body: 'Hello' }] },
      message: 'There is no such user.',
      data: { kind: 'identity', id: 'svc:///identities/nobody', property: 'sender_id' },
    },
    remedy:
      'Check the id that the answer repeats. If it is right, the object was deleted, was never created, or is not visible to this user.',
  },
  object_deleted: {
    cause: 'A server asks for a message or conversation that was deleted for all participants.',
    example: {
      caller: 'server',
      given: 'The conversation was deleted for all participants.',
      method: 'GET',
      path: `/apps/${EXAMPLE.app}/conversations/${EXAMPLE.delivery}`,
      data: null,
    },
    remedy: 'Forget the object: it does not come back.',
  },
  conflict: {
    cause:
      'The request contradicts what exists: a distinct conversation of the same participants with other metadata (`data` is that conversation), an identity that exists already, an Idempotency-Key that was given with another request (`data.header`), or an upload that another request writes to.',
    example: {
      caller: 'server',
      given: 'The user ada has an identity.',
      method: 'POST',
      path: `/apps/${EXAMPLE.app}/users/ada/identity`,
      body: { display_name: 'Ada' },
      message: 'The identity exists already.',
      data: null,
    },
    remedy: 'Use or change the existing object. Give each new request an Idempotency-Key of its own.',
  },
  id_in_use: {
    cause:
      'An object has the id that the request gives to a new one. `data` is that object as the caller sees it, or null if they may not see it.',
    example: {
      caller: { user: 'frank' },
      given: 'Another conversation, which frank may not see, has the id.',
      method: 'POST',
      path: '/conversations',
      body: { id: EXAMPLE.conversation, participants: ['grace'] },
      data: null,
    },
    remedy:
      'If the request repeats one whose answer was lost, it has succeeded: use the object in `data`. Otherwise generate a new id.',
  },
  invalid_operation: {
    cause:
      'The request is valid, but not possible in the present state: a second historical export within 24 hours, an export without a registered key, the removal of the only part of a message, or a record beyond a limit (`data.property` and `data.limit`).',
    example: {
      caller: 'server',
      given: 'No public key is registered.',
      method: 'POST',
      path: `/apps/${EXAMPLE.app}/exports`,
      message: 'A public key has to be registered before an export.',
      data: null,
    },
    remedy: 'Do first what the message asks for, wait, or delete records that are no longer needed.',
  },
} as const satisfies Record<string, ErrorDoc>;
