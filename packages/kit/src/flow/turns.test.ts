import { runInContext } from '../runtime/request-context.ts';
import { createTurns } from './turns.ts';

function create() {
  return createTurns({
    levels: [{ waiting: 6 }, { waiting: 5 }],
    waitMs: 5_000,
    refusal: () => new Error('too many wait'),
  });
}

test('callers who come together get their turns in order, one in each round of the event loop', async () => {
  const inTurn = create();
  const order: string[] = [];
  const turns = ['first', 'second', 'third'].map((name) =>
    inTurn(['app', 'user'], () => {
      order.push(name);
      setImmediate(() => order.push(`others after the ${name}`));
    }),
  );
  await Promise.all(turns);
  expect(order).toEqual(['first', 'others after the first', 'second', 'others after the second', 'third']);
});

test('a caller with many waiting turns delays another caller by one turn, and work that fails ends its turn', async () => {
  const inTurn = create();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const failed = inTurn(['busy', 'user'], () => {
    throw new Error('cannot be parsed');
  });
  const busy = [1, 2, 3, 4].map((n) => inTurn(['busy', 'user'], note(`busy ${n}`)));
  const other = inTurn(['other', 'user'], note('other'));
  await expect(failed).rejects.toThrow('cannot be parsed');
  await Promise.all([...busy, other]);
  expect(order.indexOf('other')).toBeLessThanOrEqual(1);
  expect(order).toHaveLength(5);
});

test('so many wait and no more, and one whose request is aborted gives its place to another', async () => {
  const inTurn = create();
  const ran: string[] = [];
  const gone = new AbortController();
  const wait = (name: string) => inTurn(['app', 'user'], () => void ran.push(name));
  const first = wait('first');
  const aborted = runInContext({ requestId: 'gone', signal: gone.signal }, () => wait('gone'));
  const waiting = [1, 2, 3, 4].map((n) => wait(`waiting ${n}`));
  await expect(wait('refused')).rejects.toThrow('too many wait');
  gone.abort();
  const last = wait('last');
  await expect(aborted).rejects.toThrow();
  await Promise.all([first, ...waiting, last]);
  expect(ran).toEqual(['first', 'waiting 1', 'waiting 2', 'waiting 3', 'waiting 4', 'last']);
});
