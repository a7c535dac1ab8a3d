import Type from 'typebox';
import { uri, url } from '../schema/ids.ts';
import { named } from '../schema/schema.ts';

export type Reference = { id: string; url: string };

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
