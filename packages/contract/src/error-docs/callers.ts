import { EXAMPLE } from '../schema/ids.ts';
import type { ErrorDoc } from './error-doc.ts';

const MESSAGES = `/conversations/${EXAMPLE.conversation}/messages`;
const SEND = {
  method: 'POST',
  path: MESSAGES,
  body: { parts: [{ mime_type: 'text/plain', body: 'Hello' }] },
} as const;

/** Errors in who calls: tokens, applications, permissions. */
export const callerDocs = {
  authentication_required: {
    cause:
      'The Authorization header is missing, has another scheme than the endpoint takes, or has a token that is unknown, expired or deleted. Endpoints of the client API take a session token, those below `/apps/…` an access token.',
    example: {
      caller: 'anyone',
      method: 'GET',
      path: `/apps/${EXAMPLE.app}/conversations`,
      message: 'A valid access token of the application is required: `Authorization: Bearer …`.',
      data: { schemes: ['Bearer'] },
    },
    remedy:
      'Send a token of the scheme in `data.schemes`, which the WWW-Authenticate header repeats. The client API also gives a fresh nonce in `data.nonce`: have the provider sign an identity token with it and log in again.',
  },
  invalid_app_id: {
    cause:
      'The app_id of a login is not the URI of an application, names an application that does not exist, or names it with another environment.',
    example: {
      caller: 'anyone',
      method: 'POST',
      path: '/sessions',
      body: { app_id: `svc:///apps/production/${EXAMPLE.part}`, identity_token: 'eyJ0eXAiOiJKV1QiLCJh…' },
      data: null,
    },
    remedy: 'Use the id of the application as the administration API shows it, with its environment.',
  },
  app_suspended: {
    cause: 'The operator has suspended the application. Its tokens are kept.',
    example: {
      caller: 'server',
      given: 'The application is suspended.',
      method: 'GET',
      path: `/apps/${EXAMPLE.app}/conversations`,
      data: null,
    },
    remedy: 'Ask the operator to resume the application. Do not retry meanwhile.',
  },
  user_suspended: {
    cause: 'A server acts as a user who is suspended.',
    example: {
      caller: 'server',
      given: 'The user mallory is suspended.',
      method: 'GET',
      path: `/apps/${EXAMPLE.app}/users/mallory/conversations`,
      data: null,
    },
    remedy: 'Resume the user by PATCH of `/apps/…/users/…`, or act as another user.',
  },
  access_denied: {
    cause:
      'A former participant of a conversation tries to change something in it, or a browser sends the request from an origin that the application does not allow (`data.header` = `Origin`). The type of the conversation, a freeze, a mute or a ban forbids the action (`data.reason` and `data.action`). A user searches for users of an application whose directory is closed (`data.reason` = `user_directory`). On the content service: the address has expired or was never valid.',
    example: {
      caller: { user: 'eve' },
      given: 'The user eve was removed from the conversation.',
      ...SEND,
      data: null,
    },
    remedy:
      'Ask a participant to add the user again, show only what `permissions` of the conversation allows, add the origin to those that the application allows, open its directory, or ask for a new download address.',
  },
  permission_denied: {
    cause:
      'The user sees a message but did not send it, or has left its conversation, and so must not change its parts; or the policy of the conversation forbids it (`data.reason`).',
    example: {
      caller: { user: 'grace' },
      given: 'The user ada sent the message.',
      method: 'PUT',
      path: `/messages/${EXAMPLE.message}/parts`,
      body: [{ mime_type: 'text/plain', body: 'Changed' }],
      data: null,
    },
    remedy: 'Let the sender change the parts, or the application’s server.',
  },
  participant_blocked: {
    cause: 'A user who is to take part in the conversation blocks the caller.',
    example: {
      caller: { user: 'ada' },
      given: 'The user trudy blocks ada.',
      method: 'POST',
      path: '/conversations',
      body: { participants: ['trudy'] },
      data: { property: 'participants' },
    },
    remedy: 'Leave the user out, or ask them to lift the block.',
  },
} as const satisfies Record<string, ErrorDoc>;
