import { newId } from '@parley/domain/ids';
import { commonReplica, createReplicaAffinity } from './replica-affinity.ts';

test('while no server is known there is no home', () => {
  const affinity = createReplicaAffinity(() => undefined);
  expect(affinity.ofConversation(newId())).toBeUndefined();
});

test.each([
  [['a', 'a', 'a'], 'a'],
  [['a', 'a', 'b'], undefined],
  [['a', undefined], undefined],
  [[undefined, undefined], undefined],
  [[], undefined],
])('the home of a batch with the affinity %j is %s', (given, home) => {
  const items = given.map((one) => ({ home: one }));
  expect(commonReplica(items, (item) => item.home)).toBe(home);
});
