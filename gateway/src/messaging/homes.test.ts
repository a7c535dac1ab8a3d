import { newId } from '@parley/domain/ids';
import { commonHome, createHomes } from './homes.ts';

test('while no server is known there is no home', () => {
  const homes = createHomes(() => undefined);
  expect(homes.ofConversation(newId())).toBeUndefined();
});

test.each([
  [['a', 'a', 'a'], 'a'],
  [['a', 'a', 'b'], undefined],
  [['a', undefined], undefined],
  [[undefined, undefined], undefined],
  [[], undefined],
])('the home of a batch with the homes %j is %s', (given, home) => {
  const items = given.map((one) => ({ home: one }));
  expect(commonHome(items, (item) => item.home)).toBe(home);
});
