import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { REACTION_KEY, UUID } from '../patterns.ts';
import { identityUri } from '../schema/ids.ts';
import { count, mapOf, named, optional, time } from '../schema/schema.ts';
import { BasicIdentity } from './identity.ts';
import { NotificationInput } from './notification.ts';

/** The key of a reaction in a request. */
export function reactionKey(more = '') {
  return Type.String({
    pattern: REACTION_KEY,
    description: `An emoji or a short name: 1 to ${limits.reactionKeyBytes} bytes of UTF-8 in NFC, without control and bidirectional characters, \`/\` and \`\\\`, and not \`.\`, \`..\` or \`__proto__\`.${more}`,
    examples: ['👍'],
  });
}

export const ReactionSummary = named(
  'ReactionSummary',
  Type.Object(
    {
      count: count('Users who reacted with the key.', 1),
      recent: Type.Array(identityUri('A user who reacted.'), {
        maxItems: limits.recentReactions,
        description: 'Who reacted last, newest first, without users whom the reader blocks.',
      }),
      own: Type.Optional(Type.Literal(true, { description: 'The reader is among them.' })),
      user_ids: Type.Optional(
        Type.Array(identityUri('A user who reacted.'), {
          description: 'All of them, in a historical export.',
        }),
      ),
    },
    { description: 'The reactions to a message with one key.' },
  ),
);
export type ReactionSummary = Static<typeof ReactionSummary>;

export const Reactions = mapOf(ReactionSummary, {
  description: 'By key: how users reacted to the message. Absent without any.',
  examples: [{ '👍': { count: 2, recent: ['svc:///identities/bob', 'svc:///identities/ada'], own: true } }],
});

export const Reaction = named(
  'Reaction',
  Type.Object(
    {
      id: Type.String({
        pattern: `^svc:///messages/${UUID}/reactions/${UUID}$`,
        description: 'URI of the reaction.',
      }),
      key: Type.String({ description: 'With what the user reacted.' }),
      user: BasicIdentity,
      created_at: time('When the user reacted.'),
    },
    { description: 'How one user reacted to a message.' },
  ),
);
export type Reaction = Static<typeof Reaction>;

export const ReactionInput = named(
  'ReactionInput',
  Type.Object(
    { notification: optional(NotificationInput) },
    {
      description:
        'What is pushed to the sender of the message, once for each user who reacts. Without a notification no push is sent.',
    },
  ),
);
export type ReactionInput = Static<typeof ReactionInput>;
