import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { BASE64, FILENAME, MIME_TYPE, UUID } from '../patterns.ts';
import { EXAMPLE, idInput, uri, url } from '../schema/ids.ts';
import { count, named, nullable, optional, text, time } from '../schema/schema.ts';

export const Content = named(
  'Content',
  Type.Object(
    {
      id: uri('content', 'URI of the content.'),
      size: count('Bytes of the upload.'),
      download_url: nullable(url('Where the content is downloaded, until `expiration`.')),
      expiration: nullable(time('When `download_url` stops working.')),
      refresh_url: url('Where a new `download_url` is asked for.'),
      upload_url: nullable(url('Where the bytes are sent; null once they are there.')),
    },
    { description: 'A blob in object storage, too large to stand in a part.' },
  ),
);
export type Content = Static<typeof Content>;

export const MessagePart = named(
  'MessagePart',
  Type.Object(
    {
      id: Type.String({
        pattern: `^svc:///messages/${UUID}/parts/${UUID}$`,
        description: 'URI of the part.',
        examples: [`svc:///messages/${EXAMPLE.message}/parts/${EXAMPLE.part}`],
      }),
      url: url('Where the part is read.'),
      message_url: url('Where the message is read.'),
      mime_type: Type.String({ description: 'As the sender gave it.', examples: ['text/plain'] }),
      body: nullable(Type.String({ description: 'What the part says; base64 when `encoding` says so.' })),
      encoding: nullable(Type.String({ description: '`base64` for a body that is not text.' })),
      content: nullable(Content),
      updated_at: nullable(time('When the part was last changed.')),
      filename: Type.Optional(
        Type.String({
          description:
            'Name under which a download of `content` is saved, as the sender gave it; absent without one.',
          examples: ['report.pdf'],
        }),
      ),
    },
    { description: 'One piece of a message: a media type with an inline body, or with a content.' },
  ),
);
export type MessagePart = Static<typeof MessagePart>;

const INPUT = {
  id: optional(
    Type.String({
      pattern: `^(svc:///messages/${UUID}/parts/)?${UUID}$`,
      description: 'URI of the part or its UUID, unique within the message; made when it is left out.',
    }),
  ),
  mime_type: Type.String({
    maxLength: limits.mimeType,
    pattern: MIME_TYPE,
    description: 'Media type; kept as it is, with its parameters.',
    examples: ['text/plain'],
  }),
};

const BODY_LIMIT = `At most \`inline_body_bytes\` of the app, by default ${limits.inlineBodyBytes} bytes of UTF-8.`;

export const TextPartInput = named(
  'TextPartInput',
  Type.Object(
    {
      ...INPUT,
      body: Type.String({ maxLength: limits.maxInlineBodyBytes, description: BODY_LIMIT }),
      encoding: Type.Optional(Type.Null()),
      content: Type.Optional(Type.Null()),
      filename: Type.Optional(Type.Null()),
    },
    { description: 'A part with a text.' },
  ),
);

export const Base64PartInput = named(
  'Base64PartInput',
  Type.Object(
    {
      ...INPUT,
      body: Type.String({
        maxLength: limits.maxInlineBodyBytes,
        pattern: BASE64,
        contentEncoding: 'base64',
        description: BODY_LIMIT,
      }),
      encoding: Type.Literal('base64'),
      content: Type.Optional(Type.Null()),
      filename: Type.Optional(Type.Null()),
    },
    { description: 'A part with bytes.' },
  ),
);

export const ContentPartInput = named(
  'ContentPartInput',
  Type.Object(
    {
      ...INPUT,
      body: Type.Optional(Type.Null()),
      content: Type.Object({
        id: idInput('content', 'An uploaded content.'),
        size: optional(count('Bytes. The size of the upload overrides it.')),
      }),
      filename: optional({
        ...text(
          'Name under which a download is saved. No path: `/` and `\\\\` are refused, as are control and bidirectional formatting characters.',
          limits.filename,
          1,
        ),
        pattern: FILENAME,
        examples: ['report.pdf'],
      }),
    },
    { description: 'A part with a content, whose upload is complete.' },
  ),
);

export const PartInput = named(
  'PartInput',
  Type.Union([TextPartInput, Base64PartInput, ContentPartInput], {
    description: 'A part to send: with a text, with bytes, or with a content.',
  }),
);
export type PartInput = Static<typeof PartInput>;

export const PartsInput = named(
  'PartsInput',
  Type.Array(PartInput, {
    minItems: 1,
    maxItems: limits.maxParts,
    description: `All parts of a message, together at most ${limits.messageBytes} bytes.`,
  }),
);
export type PartsInput = Static<typeof PartsInput>;
