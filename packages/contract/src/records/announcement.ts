import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { UUID } from '../patterns.ts';
import { EXAMPLE, idInput, identityInput, identityUri, uri, url } from '../schema/ids.ts';
import { count, mapOf, named, nullable, optional, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';
import { Notification, RecipientStatus } from './message.ts';
import { NotificationInput } from './notification.ts';
import { MessagePart, PartInput } from './part.ts';

export const AnnouncementPart = named(
  'AnnouncementPart',
  Type.Object(
    {
      ...MessagePart.properties,
      id: Type.String({
        pattern: `^svc:///announcements/${UUID}/parts/${UUID}$`,
        description: 'URI of the part.',
        examples: [`svc:///announcements/${EXAMPLE.announcement}/parts/${EXAMPLE.part}`],
      }),
      message_url: url('Where the announcement is read.'),
    },
    { description: 'One piece of an announcement: a media type with an inline body, or with a content.' },
  ),
);
export type AnnouncementPart = Static<typeof AnnouncementPart>;

export const Announcement = named(
  'Announcement',
  Type.Object(
    {
      id: uri('announcements', 'URI of the announcement.'),
      url: url('Where a recipient reads the announcement.'),
      sent_at: time('When the announcement was sent.'),
      recipients: Type.Array(identityUri('A recipient.'), {
        description: `To whom it was sent. Of more than ${limits.namedRecipients} recipients each reader sees only themselves.`,
      }),
      sender: nullable(BasicIdentity),
      parts: Type.Array(AnnouncementPart),
      receipts_url: nullable(url('Where receipts go; null for servers.')),
      position: nullable(count("Number in the reader's list, rising; null for servers.", 1)),
      is_unread: nullable(Type.Boolean({ description: 'For the reader; null for servers.' })),
      recipient_status: nullable(
        mapOf(RecipientStatus, {
          description: "The reader's own status, by the URI of their identity; null for servers.",
          examples: [{ 'svc:///identities/bob': 'delivered' }],
        }),
      ),
      notification: Type.Optional(Notification),
    },
    { description: 'A message of a server to many users, outside conversations.' },
  ),
);
export type Announcement = Static<typeof Announcement>;

export const AnnouncementInput = named(
  'AnnouncementInput',
  Type.Object(
    {
      id: optional(idInput('announcements', 'Makes repeats harmless; made when it is left out.')),
      recipients: Type.Array(identityInput('A recipient.'), {
        minItems: 1,
        description: 'To whom to send. Users who do not exist are skipped; one at least has to exist.',
      }),
      sender_id: identityInput('Who sends.'),
      parts: Type.Array(PartInput, { minItems: 1, maxItems: limits.maxParts }),
      notification: optional(NotificationInput),
    },
    { description: 'An announcement to send.' },
  ),
);
export type AnnouncementInput = Static<typeof AnnouncementInput>;
