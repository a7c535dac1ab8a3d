import { newId } from '@parley/domain/ids';
import { commonReplica, createReplicaAffinity } from './replica-affinity.ts';

test('while no replica is known none is preferred', () => {
  const affinity = createReplicaAffinity(() => undefined);
  expect(affinity.ofConversation(newId())).toBeUndefined();
});

test.each([
  [['a', 'a', 'a'], 'a'],
  [['a', 'a', 'b'], undefined],
  [['a', undefined], undefined],
  [[undefined, undefined], undefined],
  [[], undefined],
])('the preferred replica of a batch with items for %j is %s', (given, replica) => {
  const items = given.map((one) => ({ replica: one }));
  expect(commonReplica(items, (item) => item.replica)).toBe(replica);
});
