import Type from 'typebox';
import { identityUri, uri, url } from '../schema/ids.ts';
import { named } from '../schema/schema.ts';

/** The object of a packet: its type, its URI, and where it is read. */
function changedObject<const T extends string, I extends ReturnType<typeof uri>>(type: T, id: I) {
  return named(
    `${type}Object`,
    Type.Object(
      { type: Type.Literal(type), id, url: url('Where the object is read.') },
      { description: `Names the ${type} that a packet is about.` },
    ),
  );
}

export const ConversationObject = changedObject(
  'Conversation',
  uri('conversations', 'URI of the conversation.'),
);
export const MessageObject = changedObject('Message', uri('messages', 'URI of the message.'));
export const MessagePartObject = changedObject(
  'MessagePart',
  Type.String({ pattern: '^svc:///messages/[^/]+/parts/[^/]+$', description: 'URI of the part.' }),
);
export const AnnouncementObject = changedObject(
  'Announcement',
  uri('announcements', 'URI of the announcement.'),
);
export const IdentityObject = changedObject('Identity', identityUri('URI of the identity.'));
