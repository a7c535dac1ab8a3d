import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chunk } from './chunks.ts';
import { streamArray } from './stream-array.ts';

let answer: (res: ServerResponse) => void;
const server = createServer((_, res) => answer(res));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

async function get(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

function chunksOf(...chunks: unknown[][]): Chunk['next'] {
  const [items, ...others] = chunks;
  if (!items) return undefined;
  return () => Promise.resolve({ items, total: 0, next: chunksOf(...others) });
}

function streamed(first: unknown[], next: Chunk['next'], longestMs?: number) {
  return new Promise<void>((done) => {
    answer = (res) =>
      streamArray(res, { first: JSON.stringify(first), next, done }, { maxDurationMs: longestMs });
  });
}

test.each([
  { first: [1, 2], others: [[3], [4, 5]], all: [1, 2, 3, 4, 5] },
  { first: [], others: [[], [1], [], [2]], all: [1, 2] },
  { first: [], others: [[]], all: [] },
  { first: [1], others: [], all: [1] },
])('the chunks $first, $others are one array', async ({ first, others, all }) => {
  const done = streamed(first, chunksOf(...others));
  expect(JSON.parse(await textOf(await get()))).toEqual(all);
  await done;
});

test('a body whose next chunk fails does not look complete', async () => {
  const done = streamed([1], () => Promise.reject(new Error('away')));
  await expect(get().then(textOf)).rejects.toThrow('aborted');
  await done;
});

test('while a client does not read, one chunk is held and the next is not fetched', async () => {
  const text = 'x'.repeat(8 * 1024 * 1024);
  let asked = 0;
  const more = (): Promise<Chunk> => {
    asked += 1;
    return Promise.resolve({ items: [text], total: 0, next: asked < 4 ? more : undefined });
  };
  const done = streamed([text], more);
  const response = await get();
  response.pause();
  await once(response, 'readable');
  expect(asked).toBe(0);
  const [all] = await Promise.all([textOf(response), done]);
  expect(all).toHaveLength(5 * (text.length + 3) + 1);
  expect(asked).toBe(4);
});

test('a client that reads each chunk in time but is never done is disconnected', async () => {
  const more = async (): Promise<Chunk> => {
    await new Promise(setImmediate);
    return { items: [1], total: 0, next: more };
  };
  const done = streamed([1], more, 50);
  await expect(get().then(textOf)).rejects.toThrow('aborted');
  await done;
});

test('a client that disconnects gives its slot back', async () => {
  const done = streamed(['x'.repeat(32 * 1024 * 1024)], chunksOf([1]));
  (await get()).destroy();
  await done;
});
