import { failureOf } from '../testing/failure.ts';
import { contentId, messageId, partId, rules } from '../testing/samples.ts';
import { parsePart, parsePartBody } from './part.ts';

const text = { mime_type: 'text/plain', body: 'hello' };
const content = { id: `svc:///content/${contentId}`, size: 12 };
const failure = (part: unknown) => failureOf(() => parsePart(rules, part, 'parts.3.'));

test('text is kept to the letter, with its media type', () => {
  const body = ' a\r\n\0😀\u0085 ';
  const part = parsePartBody(rules, { id: partId, mime_type: 'TEXT/plain ; x="Y"', body, unknown: 1 });
  expect(part).toEqual({
    $typeName: 'parley.messaging.v1.Part',
    id: partId,
    mimeType: 'TEXT/plain ; x="Y"',
    body,
  });
});

test('a part without an id is given one; null stands for what is absent', () => {
  const part = parsePartBody(rules, { ...text, id: null, encoding: null, content: null });
  expect(part.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(part).not.toHaveProperty('encoding');
});

test('the id may be that of the part in a message', () => {
  const id = `svc:///messages/${messageId}/parts/${partId.toUpperCase()}`;
  expect(parsePartBody(rules, { ...text, id }).id).toBe(partId);
});

test('content is named by its id; its size may be left out', () => {
  const part = parsePartBody(rules, { mime_type: 'image/png', content });
  expect(part.content).toEqual({ $typeName: 'parley.messaging.v1.Content', id: contentId, size: 12 });
  expect(parsePartBody(rules, { mime_type: 'image/png', content: { id: contentId } }).content?.size).toBe(-1);
});

test('a part with content may have the name of its file, which is kept to the letter', () => {
  for (const filename of ['report.pdf', '..', 'a "b" %2f.txt', '😀'.repeat(255)]) {
    const part = parsePartBody(rules, { mime_type: 'image/png', content, filename });
    expect(part.filename).toBe(filename);
  }
  expect(parsePartBody(rules, { mime_type: 'image/png', content, filename: null })).not.toHaveProperty(
    'filename',
  );
  expect(parsePartBody(rules, { ...text, filename: null })).not.toHaveProperty('filename');
});

test.each(['', 'a/b', 'a\\b', 'a\r\nb', '\u202eb', 'half \ud800', '😀'.repeat(256), 5, {}, ['a']])(
  'the filename %j is refused',
  (filename) => {
    expect(failure({ mime_type: 'image/png', content, filename })).toBe('invalid_property parts.3.filename');
  },
);

test('a filename without content is refused', () => {
  expect(failure({ ...text, filename: 'a.txt' })).toBe('invalid_property parts.3.filename');
});

test('a body has at most 2048 bytes of UTF-8, regardless of its characters', () => {
  for (const [character, most] of [
    ['a', 2048],
    ['é', 1024],
    ['€', 682],
    ['😀', 512],
  ] as const) {
    expect(parsePartBody(rules, { ...text, body: character.repeat(most) }).body).toHaveLength(
      character.length * most,
    );
    expect(failure({ ...text, body: character.repeat(most + 1) })).toBe('invalid_property parts.3.body');
  }
});

test('an app may set a longer limit of a body', () => {
  const longer = { ...rules, inlineBodyBytes: 65_536 };
  expect(parsePartBody(longer, { ...text, body: 'é'.repeat(32_768) }).body).toHaveLength(32_768);
  const tooLong = () => parsePartBody(longer, { ...text, body: `${'é'.repeat(32_768)}a` });
  expect(failureOf(tooLong)).toBe('invalid_property body');
  expect(tooLong).toThrow('65536');
});

test.each([
  ['not an object', 'text', 'invalid_property parts.3'],
  ['null', null, 'invalid_property parts.3'],
  ['without a media type', { body: 'x' }, 'missing_property parts.3.mime_type'],
  ['of a media type that is none', { ...text, mime_type: 'text' }, 'invalid_property parts.3.mime_type'],
  ['of a media type that is no string', { ...text, mime_type: 1 }, 'invalid_property parts.3.mime_type'],
  ['of neither body nor content', { mime_type: 'a/b' }, 'invalid_property parts.3.body'],
  ['of body and content', { ...text, content }, 'invalid_property parts.3.content'],
  ['with a body that is no string', { ...text, body: {} }, 'invalid_property parts.3.body'],
  ['with half a surrogate pair', { ...text, body: 'a\ud800' }, 'invalid_property parts.3.body'],
  ['of another encoding', { ...text, encoding: 'hex' }, 'invalid_property parts.3.encoding'],
  ['that is not base64', { ...text, encoding: 'base64', body: 'hello' }, 'invalid_property parts.3.body'],
  ['with another id', { ...text, id: `svc:///messages/${messageId}` }, 'invalid_property parts.3.id'],
  ['with an id that is no string', { ...text, id: 5 }, 'invalid_property parts.3.id'],
  [
    'with content that is no object',
    { mime_type: 'a/b', content: contentId },
    'invalid_property parts.3.content',
  ],
  ['with content without an id', { mime_type: 'a/b', content: {} }, 'missing_property parts.3.content.id'],
  [
    'with another content id',
    { mime_type: 'a/b', content: { id: 'x' } },
    'invalid_property parts.3.content.id',
  ],
  [
    'of a negative size',
    { mime_type: 'a/b', content: { id: contentId, size: -1 } },
    'invalid_property parts.3.content.size',
  ],
  [
    'of a size that is no number',
    { mime_type: 'a/b', content: { id: contentId, size: '1' } },
    'invalid_property parts.3.content.size',
  ],
])('a part %s is refused', (_, part, expected) => {
  expect(failure(part)).toBe(expected);
});

test('by itself its properties have no prefix, and it has to be an object', () => {
  expect(failureOf(() => parsePartBody(rules, {}))).toBe('missing_property mime_type');
  expect(failureOf(() => parsePartBody(rules, []))).toBe('invalid_request');
});
