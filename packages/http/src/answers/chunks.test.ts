import { tooLarge } from '@parley/kit/rpc/byte-budget';
import { readChunks, type FoundChunk, type PagedList, type Chunk, type ChunkRequest } from './chunks.ts';

/** A list of the numbers from 1 on; `give` says what one call of the service finds among those that it is asked for. */
function listOf(count: number, give: (records: number[]) => FoundChunk<number>) {
  const asked: ChunkRequest[] = [];
  const list: PagedList<number> = {
    ask(wanted) {
      asked.push(wanted);
      const first = Number(wanted.fromId) + 1;
      const size = Math.max(0, Math.min(wanted.pageSize, count - first + 1));
      return Promise.resolve(give(Array.from({ length: size }, (_, index) => first + index)));
    },
    idOf: String,
    render: (records) => records.map((record) => ({ record })),
  };
  return { list, asked };
}

async function readAll(chunk: Chunk): Promise<unknown[]> {
  const rest = chunk.next ? await readAll(await chunk.next()) : [];
  return [...chunk.items.map((item) => (item as { record: number }).record), ...rest];
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a page that fits is one call', async () => {
  const { list, asked } = listOf(50, (records) => ({ records, total: 50, hasMore: false }));
  const chunk = await readChunks(list, { fromId: '', pageSize: 20 });
  expect(chunk).toMatchObject({ total: 50, next: undefined });
  expect(await readAll(chunk)).toEqual(upTo(20));
  expect(asked).toHaveLength(1);
});

test('a page in several chunks ends where it should', async () => {
  const cut = (records: number[]) => ({ records: records.slice(0, 8), hasMore: records.length > 8 });
  const { list, asked } = listOf(50, cut);
  expect(await readAll(await readChunks(list, { fromId: '', pageSize: 20 }))).toEqual(upTo(20));
  expect(asked.map(({ fromId, pageSize }) => [fromId, pageSize])).toEqual([
    ['', 20],
    ['8', 12],
    ['16', 4],
  ]);
});

test('a service without budgets is asked for half as many items when it refuses', async () => {
  const { list } = listOf(15, (records) => {
    if (records.length > 6) throw tooLarge();
    return { records, hasMore: false };
  });
  expect(await readAll(await readChunks(list, { fromId: '', pageSize: 100 }))).toEqual(upTo(15));
});

test('a single item that is refused fails the page', async () => {
  const { list, asked } = listOf(15, () => {
    throw tooLarge();
  });
  await expect(readChunks(list, { fromId: '', pageSize: 8 })).rejects.toThrow('larger than');
  expect(asked.map(({ pageSize }) => pageSize)).toEqual([8, 4, 2, 1]);
});
