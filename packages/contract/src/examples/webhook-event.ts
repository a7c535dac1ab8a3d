import type { Notice, NOTICES } from '../records/webhook-event.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { SERVER_CONVERSATION } from './conversation.ts';
import { ADA_OF_SERVER, BOB_OF_SERVER, IDENTITY_OF_SERVER } from './identity.ts';
import { SERVER_MESSAGE, SERVER_PART, SERVER_REACTION } from './message.ts';

type Examples = { [Name in keyof typeof NOTICES]: Extract<Notice, { event: { type: Name } }> };

const AT = '2026-11-20T20:15:30.123Z';

function head<Name extends keyof Examples>(type: Name) {
  return {
    event: { id: EXAMPLE.event, type, created_at: AT },
    actor: ADA_OF_SERVER,
    config: { tenant: 'blue' },
  };
}

const MESSAGE = { id: SERVER_MESSAGE.id, url: SERVER_MESSAGE.url };
const CONVERSATION = { id: SERVER_CONVERSATION.id, url: SERVER_CONVERSATION.url };
const EDITED = { ...SERVER_MESSAGE, updated_at: AT };
const EDITED_PART = { ...SERVER_PART, updated_at: AT };

const SETTLED_PUSH = {
  id: EXAMPLE.event,
  recipient: BOB_OF_SERVER.id,
  device_id: 'phone-1',
  provider: 'fcm' as const,
  attempt_count: 1,
  reason: null,
};

const RESTRICTION = {
  user: BOB_OF_SERVER,
  type: 'mute' as const,
  until: '2026-11-21T20:15:30.123Z',
  reason: 'Off topic',
  created_by: ADA_OF_SERVER.id,
  created_at: AT,
};

/** A body for each type of event. */
export const NOTICE_EXAMPLES: Examples = {
  'Message.created': { ...head('Message.created'), message: SERVER_MESSAGE },
  'Message.updated': { ...head('Message.updated'), message: EDITED },
  'Message.deleted': { ...head('Message.deleted'), message: SERVER_MESSAGE },
  'MessagePart.created': { ...head('MessagePart.created'), message_part: EDITED_PART, message: MESSAGE },
  'MessagePart.updated': { ...head('MessagePart.updated'), message_part: EDITED_PART, message: MESSAGE },
  'MessagePart.deleted': {
    ...head('MessagePart.deleted'),
    message_part: { id: SERVER_PART.id, url: SERVER_PART.url, message_url: SERVER_MESSAGE.url },
    message: MESSAGE,
  },
  'Reaction.created': {
    ...head('Reaction.created'),
    actor: BOB_OF_SERVER,
    reaction: SERVER_REACTION,
    message: MESSAGE,
    conversation: CONVERSATION,
  },
  'Reaction.deleted': {
    ...head('Reaction.deleted'),
    actor: BOB_OF_SERVER,
    reaction: SERVER_REACTION,
    message: MESSAGE,
    conversation: CONVERSATION,
  },
  'Receipt.created': {
    ...head('Receipt.created'),
    actor: BOB_OF_SERVER,
    receipt: { type: 'Read', positions: { from: 1, to: 1 } },
    message: MESSAGE,
    conversation: CONVERSATION,
  },
  'Conversation.created': { ...head('Conversation.created'), conversation: SERVER_CONVERSATION },
  'Conversation.updated': { ...head('Conversation.updated'), conversation: SERVER_CONVERSATION },
  'Conversation.deleted': { ...head('Conversation.deleted'), conversation: SERVER_CONVERSATION },
  'Participation.created': {
    ...head('Participation.created'),
    changes: [BOB_OF_SERVER],
    conversation: CONVERSATION,
  },
  'Participation.deleted': {
    ...head('Participation.deleted'),
    changes: [BOB_OF_SERVER],
    conversation: CONVERSATION,
  },
  'Participation.updated': {
    ...head('Participation.updated'),
    conversation: Object.assign({ roles: { [BOB_OF_SERVER.id]: 'moderator' as const } }, SERVER_CONVERSATION),
  },
  'Restriction.created': {
    ...head('Restriction.created'),
    restriction: RESTRICTION,
    conversation: CONVERSATION,
  },
  'Restriction.deleted': {
    ...head('Restriction.deleted'),
    restriction: RESTRICTION,
    conversation: CONVERSATION,
  },
  'Identity.created': { ...head('Identity.created'), identity: IDENTITY_OF_SERVER },
  'Identity.updated': { ...head('Identity.updated'), identity: IDENTITY_OF_SERVER },
  'Push.delivered': {
    ...head('Push.delivered'),
    actor: null,
    push: SETTLED_PUSH,
    message: MESSAGE,
    conversation: CONVERSATION,
  },
  'Push.failed': {
    ...head('Push.failed'),
    actor: null,
    push: { ...SETTLED_PUSH, reason: '404 UNREGISTERED Requested entity was not found.' },
    message: MESSAGE,
    conversation: CONVERSATION,
  },
};
