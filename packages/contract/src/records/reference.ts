import Type, { type Static } from 'typebox';
import { uri, url } from '../schema/ids.ts';
import { named } from '../schema/schema.ts';

export type Reference = { id: string; url: string };

/** A key of messages and of their references. */
export const Shadowed = Type.Optional(
  Type.Literal(true, {
    description:
      'For servers: its sender was under a shadow restriction, so nobody else sees it. Otherwise left out.',
  }),
);

/** The URI and the address of a record of one kind. */
export function reference(name: string, kind: string) {
  return named(
    name,
    Type.Object(
      { id: uri(kind, 'URI of the record.'), url: url('Where the record is read.') },
      { description: `Names one of the ${kind} without showing it.` },
    ),
  );
}

export const ConversationReference = reference('ConversationReference', 'conversations');
export const MessageReference = reference('MessageReference', 'messages');

/** In a notice of a part. */
export const ShadowableMessageReference = named(
  'ShadowableMessageReference',
  Type.Object(
    {
      id: MessageReference.properties.id,
      url: MessageReference.properties.url,
      shadowed: Shadowed,
    },
    { description: 'Names one of the messages without showing it, and says whether it is shadowed.' },
  ),
);
export type ShadowableMessageReference = Static<typeof ShadowableMessageReference>;
