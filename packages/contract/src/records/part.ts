import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { EXAMPLE, idInput, uri, url } from '../schema/ids.ts';
import { count, named, nullable, oneOf, time } from '../schema/schema.ts';

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
        pattern: '^svc:///messages/[^/]+/parts/[^/]+$',
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
    },
    { description: 'One piece of a message: a media type with an inline body, or with a content.' },
  ),
);
export type MessagePart = Static<typeof MessagePart>;

export const PartInput = named(
  'PartInput',
  Type.Object(
    {
      id: Type.Optional(
        Type.String({ description: 'URI of the part or its UUID; made when it is left out.' }),
      ),
      mime_type: Type.String({ minLength: 1, maxLength: limits.mimeType, examples: ['text/plain'] }),
      body: Type.Optional(
        nullable(
          Type.String({
            description: `At most \`inline_body_bytes\` of the app, by default ${limits.inlineBodyBytes} bytes of UTF-8.`,
          }),
        ),
      ),
      encoding: Type.Optional(nullable(oneOf(['base64'], 'For a body that is not text.'))),
      content: Type.Optional(
        nullable(
          Type.Object({
            id: idInput('content', 'An uploaded content.'),
            size: Type.Optional(nullable(count('Bytes; the upload decides.'))),
          }),
        ),
      ),
    },
    { description: 'A part to send: with `body` or with `content`, never both.' },
  ),
);
