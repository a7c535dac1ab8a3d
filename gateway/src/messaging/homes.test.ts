import { newId } from '@parley/domain/ids';
import { commonHome, createHomes } from './homes.ts';

const MAX_NOTED = 20_000;

test('the receipts of a message that was noted belong where its conversation does', () => {
  const homes = createHomes((number) => String(number));
  const [message, conversation] = [newId(), newId()];
  expect(homes.ofMessage(message)).not.toBe(homes.ofConversation(conversation));
  homes.note(message, conversation);
  expect(homes.ofMessage(message)).toBe(homes.ofConversation(conversation));
});

test('messages that were noted long ago are forgotten', () => {
  const homes = createHomes((number) => String(number));
  const [message, conversation] = [newId(), newId()];
  homes.note(message, conversation);
  for (let count = 0; count < MAX_NOTED; count += 1) homes.note(newId(), conversation);
  expect(homes.ofMessage(message)).not.toBe(homes.ofConversation(conversation));
});

test('while no server is known there is no home', () => {
  const homes = createHomes(() => undefined);
  expect(homes.ofConversation(newId())).toBeUndefined();
  expect(homes.ofMessage(newId())).toBeUndefined();
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
