import Type from 'typebox';
import { limits } from '../limits.ts';
import { STORABLE_TEXT } from '../patterns.ts';
import { named } from '../schema/schema.ts';

/** Nested objects with texts as leaves. */
export type Metadata = { [key: string]: string | Metadata };

export const Metadata = named(
  'Metadata',
  Type.Unsafe<Metadata>({
    type: 'object',
    additionalProperties: Type.Union([
      Type.String({ pattern: STORABLE_TEXT, description: 'Any text but U+0000.' }),
      Type.Ref('Metadata'),
    ]),
    description: `Nested objects with texts as leaves: at most ${limits.metadataBytes} bytes as JSON, and ${limits.metadataDepth} levels.`,
    examples: [{ topic: 'engines', colours: { background: '#fff' } }],
  }),
);

/** Readers keep numbers as doubles of IEEE 754, which change integers beyond these. */
export const METADATA_NUMBER = Type.Number({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** Nested objects with texts, numbers and booleans as leaves. */
export type MessageMetadata = { [key: string]: string | number | boolean | MessageMetadata };

export const MessageMetadata = named(
  'MessageMetadata',
  Type.Unsafe<MessageMetadata>({
    type: 'object',
    additionalProperties: Type.Union([
      Type.String({ pattern: STORABLE_TEXT, description: 'Any text but U+0000.' }),
      METADATA_NUMBER,
      Type.Boolean(),
      Type.Ref('MessageMetadata'),
    ]),
    description: `Nested objects with texts, numbers and booleans as leaves, for programs: at most ${limits.messageMetadataBytes} bytes as JSON, and ${limits.metadataDepth} levels. By convention \`kind\` is \`system\` in notices.`,
    examples: [{ kind: 'system', order: { number: 42 } }],
  }),
);
