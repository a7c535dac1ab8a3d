import { createResponseSlots } from './slots.ts';

test('one user does not take the slots of another user, nor one application those of another application', async () => {
  const slots = createResponseSlots();
  const leave = await Promise.all(Array.from({ length: 6 }, () => slots.large('app', 'ada')));
  let entered = false;
  const waiting = slots.large('app', 'ada').then((done) => {
    entered = true;
    return done;
  });
  await Promise.all(Array.from({ length: 4 }, () => slots.large('app', 'bob')));
  await Promise.all(Array.from({ length: 4 }, () => slots.large('other app', 'ada')));
  expect(entered).toBe(false);
  leave[0]!();
  (await waiting)();
});

test('the server of an application may hold the slots of the application: half of those that are free', async () => {
  const slots = createResponseSlots();
  const entered = new Map<string, number>();
  const ask = (appId: string, userId: string): void => {
    const count = () => entered.set(appId, (entered.get(appId) ?? 0) + 1);
    slots.large(appId, userId).then(count, () => undefined);
  };
  for (const appId of ['a', 'b', 'c', 'd', 'e']) for (let n = 0; n < 24; n += 1) ask(appId, '');
  await new Promise(setImmediate);
  expect([...entered]).toEqual([
    ['a', 12],
    ['b', 6],
    ['c', 3],
    ['d', 1],
    ['e', 1],
  ]);
});

test('however many lists two applications read, the first chunk of a third one finds a slot at once', async () => {
  const slots = createResponseSlots();
  const ask = (appId: string, n: number) => slots.first(appId, `user ${n}`).catch(() => undefined);
  for (let n = 0; n < 96; n += 1) for (const appId of ['a', 'b']) void ask(appId, n);
  expect(await slots.first('c', 'ada')).toBeInstanceOf(Function);
});
