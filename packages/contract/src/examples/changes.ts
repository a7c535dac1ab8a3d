import type { Static } from 'typebox';
import type { CHANGES, ChangeName } from '../socket/changes/index.ts';
import { ANNOUNCEMENT } from './announcement.ts';
import { CONVERSATION } from './conversation.ts';
import { BOB, IDENTITY } from './identity.ts';
import { MESSAGE } from './message.ts';
import {
  ANNOUNCEMENT_OBJECT,
  CONVERSATION_OBJECT,
  IDENTITY_OBJECT,
  MESSAGE_OBJECT,
  PART_OBJECT,
} from './socket.ts';

type Examples = { [Name in ChangeName]: Readonly<Record<string, Static<(typeof CHANGES)[Name]>>> };

const BOBS_STATUS = 'recipient_status.svc:///identities/bob';
const [PART] = MESSAGE.parts;

/** Bodies of change packets, by what happened. */
export const CHANGE_EXAMPLES: Examples = {
  ConversationCreated: {
    'Conversation created': { operation: 'create', object: CONVERSATION_OBJECT, data: CONVERSATION },
  },
  ConversationUpdated: {
    'New message': {
      operation: 'update',
      object: CONVERSATION_OBJECT,
      data: [
        { operation: 'set', property: 'last_message', id: MESSAGE.id },
        { operation: 'set', property: 'unread_message_count', value: 1 },
      ],
    },
    'Patch of a participant': {
      operation: 'update',
      object: CONVERSATION_OBJECT,
      data: [
        { operation: 'set', property: 'metadata.topic', value: 'Engines' },
        { operation: 'delete', property: 'metadata.draft' },
        { operation: 'add', property: 'participants', id: BOB.id, value: BOB },
        { operation: 'remove', property: 'participants', id: 'svc:///identities/eve' },
        { operation: 'set', property: 'distinct', value: false },
      ],
    },
  },
  ConversationDeleted: {
    'Deleted for all': {
      operation: 'delete',
      object: CONVERSATION_OBJECT,
      data: { mode: 'all_participants', from_position: null },
    },
    'Hidden by the user': {
      operation: 'delete',
      object: CONVERSATION_OBJECT,
      data: { mode: 'my_devices', from_position: 1 },
    },
  },
  MessageCreated: {
    'Message sent': { operation: 'create', object: MESSAGE_OBJECT, data: MESSAGE },
  },
  MessageUpdated: {
    'Message read': {
      operation: 'update',
      object: MESSAGE_OBJECT,
      data: [{ operation: 'set', property: BOBS_STATUS, value: 'read' }],
    },
    'Parts replaced': {
      operation: 'update',
      object: MESSAGE_OBJECT,
      data: [
        {
          operation: 'remove',
          property: 'parts',
          id: `${MESSAGE_OBJECT.id}/parts/01990000-0000-7000-8000-000000000020`,
        },
        ...(PART ? [{ operation: 'add', property: 'parts', id: PART.id, value: PART } as const] : []),
      ],
    },
    'Metadata changed': {
      operation: 'update',
      object: MESSAGE_OBJECT,
      data: [{ operation: 'set', property: 'metadata.order.state', value: 'shipped' }],
    },
    'Reaction given': {
      operation: 'update',
      object: MESSAGE_OBJECT,
      data: [
        { operation: 'set', property: 'reactions.👍.count', value: 2 },
        { operation: 'set', property: 'reactions.👍.recent', value: [BOB.id, 'svc:///identities/ada'] },
      ],
    },
  },
  MessageDeleted: {
    'Deleted for all': { operation: 'delete', object: MESSAGE_OBJECT, data: { mode: 'all_participants' } },
  },
  MessagePartUpdated: {
    'Part edited': {
      operation: 'update',
      object: PART_OBJECT,
      data: [
        { operation: 'set', property: 'body', value: 'Hello, Bob and Eve!' },
        { operation: 'set', property: 'mime_type', value: 'text/plain' },
        { operation: 'set', property: 'encoding', value: null },
        { operation: 'set', property: 'content', value: null },
        { operation: 'set', property: 'updated_at', value: '2026-11-20T20:16:00.000Z' },
      ],
    },
  },
  AnnouncementCreated: {
    'Announcement received': {
      operation: 'create',
      object: ANNOUNCEMENT_OBJECT,
      data: ANNOUNCEMENT,
    },
  },
  AnnouncementUpdated: {
    'Announcement read': {
      operation: 'update',
      object: ANNOUNCEMENT_OBJECT,
      data: [{ operation: 'set', property: BOBS_STATUS, value: 'read' }],
    },
  },
  AnnouncementDeleted: {
    'Announcement deleted': {
      operation: 'delete',
      object: ANNOUNCEMENT_OBJECT,
      data: { mode: 'my_devices' },
    },
  },
  IdentityCreated: {
    'Identity created': {
      operation: 'create',
      object: IDENTITY_OBJECT,
      data: IDENTITY,
    },
  },
  IdentityUpdated: {
    'Identity changed': {
      operation: 'update',
      object: IDENTITY_OBJECT,
      data: [{ operation: 'set', property: 'display_name', value: 'Robert' }],
    },
    'Presence changed': {
      operation: 'update',
      object: IDENTITY_OBJECT,
      data: [
        { operation: 'set', property: 'presence.status', value: 'available' },
        { operation: 'set', property: 'presence.last_seen_at', value: '2026-11-20T20:15:30.123Z' },
      ],
    },
  },
  IdentityDeleted: {
    'Identity deleted': { operation: 'delete', object: IDENTITY_OBJECT, data: {} },
  },
};
