import { tooLarge } from '@parley/kit/rpc/byte-budget';
import { readPieces, type FoundPiece, type PagedList, type Piece, type PieceRequest } from './chunks.ts';

/** A list of the numbers from 1 on; `give` says what one call of the service finds among those that it is asked for. */
function listOf(count: number, give: (records: number[]) => FoundPiece<number>) {
  const asked: PieceRequest[] = [];
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

async function readAll(piece: Piece): Promise<unknown[]> {
  const rest = piece.next ? await readAll(await piece.next()) : [];
  return [...piece.items.map((item) => (item as { record: number }).record), ...rest];
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a page that fits is one call', async () => {
  const { list, asked } = listOf(50, (records) => ({ records, total: 50, hasMore: false }));
  const piece = await readPieces(list, { fromId: '', pageSize: 20 });
  expect(piece).toMatchObject({ total: 50, next: undefined });
  expect(await readAll(piece)).toEqual(upTo(20));
  expect(asked).toHaveLength(1);
});

test('a page in several pieces ends where it should', async () => {
  const cut = (records: number[]) => ({ records: records.slice(0, 8), hasMore: records.length > 8 });
  const { list, asked } = listOf(50, cut);
  expect(await readAll(await readPieces(list, { fromId: '', pageSize: 20 }))).toEqual(upTo(20));
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
  expect(await readAll(await readPieces(list, { fromId: '', pageSize: 100 }))).toEqual(upTo(15));
});

test('a single item that is refused fails the page', async () => {
  const { list, asked } = listOf(15, () => {
    throw tooLarge();
  });
  await expect(readPieces(list, { fromId: '', pageSize: 8 })).rejects.toThrow('larger than');
  expect(asked.map(({ pageSize }) => pageSize)).toEqual([8, 4, 2, 1]);
});
