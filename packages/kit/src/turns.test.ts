import { createTurns } from './turns.ts';

test('callers who come together get their turns in order, one in each round of the event loop', async () => {
  const nextTurn = createTurns();
  const order: string[] = [];
  const turns = ['first', 'second', 'third'].map(async (name) => {
    await nextTurn();
    order.push(name);
    setImmediate(() => order.push(`others after the ${name}`));
  });
  await Promise.all(turns);
  expect(order).toEqual(['first', 'others after the first', 'second', 'others after the second', 'third']);
});
