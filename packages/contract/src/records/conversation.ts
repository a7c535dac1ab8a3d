import Type, { type Static } from 'typebox';
import { ROLES } from '../policy.ts';
import { identityUri, uri, url } from '../schema/ids.ts';
import { count, mapOf, named, nullable, oneOf, time } from '../schema/schema.ts';
import { Permissions } from './conversation-type.ts';
import { OwnRestriction } from './restriction.ts';
import { BasicIdentity } from './identity.ts';
import { Message } from './message.ts';
import { Metadata } from './metadata.ts';

export const Frozen = named(
  'Frozen',
  Type.Object(
    {
      at: time('Since when.'),
      by: nullable(identityUri('Who froze it; null: a server.')),
    },
    { description: 'Only roles that may `send_when_frozen` write.' },
  ),
);

export const Conversation = named(
  'Conversation',
  Type.Object(
    {
      id: uri('conversations', 'URI of the conversation.'),
      url: url('Where the conversation is read.'),
      messages_url: url('Where messages are listed and sent.'),
      created_at: time('When the conversation was created.'),
      participants: Type.Array(BasicIdentity, {
        description: 'In any order. Empty for a user who was removed; they keep what was before, read-only.',
      }),
      distinct: Type.Boolean({ description: 'Whether it is the one conversation of these participants.' }),
      metadata: Metadata,
      type: Type.Optional(Type.String({ description: 'The name of its type; left out for `default`.' })),
      roles: Type.Optional(
        mapOf(oneOf(ROLES, 'The role.'), {
          description: 'Roles of participants by the URI of their identity. Who is missing is a member.',
        }),
      ),
      frozen: Type.Optional(Frozen),
      slow_mode_in_seconds: Type.Optional(
        count('The least time between two messages of a participant; left out: as the type says.', 1),
      ),
      restriction: Type.Optional(OwnRestriction),
      permissions: Type.Optional(Permissions),
      last_message: nullable(
        Message,
        'The newest message that the reader sees; null without one and for servers.',
      ),
      unread_message_count: nullable(count('Messages that the reader has not read; null for servers.')),
      total_message_count: nullable(count('Messages that the reader sees; null for servers.')),
    },
    { description: 'A conversation as its reader sees it.' },
  ),
);
export type Conversation = Static<typeof Conversation>;
