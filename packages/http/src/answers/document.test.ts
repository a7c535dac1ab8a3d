import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createDocument, respondWithDocument } from './document.ts';

const TEXT = 'a document of words '.repeat(500);

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['zstd', zstdDecompressSync],
] as const)(
  'a document is compressed once with %s, however often it is asked for',
  async (coding, decode) => {
    const document = createDocument(TEXT, 'text/plain');
    const asked = { headers: { 'accept-encoding': coding }, compresses: true };
    const answers = await Promise.all([1, 2, 3].map(() => respondWithDocument(document, asked)));
    answers.push(await respondWithDocument(document, asked));
    const [first] = answers;
    expect(first?.headers).toMatchObject({ 'content-encoding': coding, etag: document.etag });
    expect(decode(first?.bytes ?? Buffer.alloc(0)).toString()).toBe(TEXT);
    for (const { bytes } of answers) expect(bytes).toBe(first?.bytes);
  },
);

test('a document goes out as it is where this process does not compress, and where it is small', async () => {
  const headers = { 'accept-encoding': 'br' };
  const whole = await respondWithDocument(createDocument(TEXT, 'text/plain'), { headers, compresses: false });
  expect([whole.headers?.['content-encoding'], whole.bytes?.toString()]).toEqual([undefined, TEXT]);
  const small = await respondWithDocument(createDocument('small', 'text/plain'), {
    headers,
    compresses: true,
  });
  expect([small.headers?.['content-encoding'], small.bytes?.toString()]).toEqual([undefined, 'small']);
});
