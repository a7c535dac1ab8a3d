import { problemOf } from '@parley/domain/problems';
import { NamedUsers } from './named-users.ts';

const most = 1_000;

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);

function refusalOf(call: () => void): unknown {
  try {
    call();
  } catch (error) {
    const { id, data } = problemOf(error) ?? {};
    return { id, data };
  }
  return undefined;
}

test('a socket names at most so many users in all its requests; users whom it named before do not count again', () => {
  const named = new NamedUsers();
  named.add(names(0, most - 10), most);
  named.add(names(0, most - 5), most);
  const refusal = { id: 'invalid_operation', data: { property: 'ids', limit: most } };
  expect(refusalOf(() => named.add(names(most - 5, most + 1), most))).toEqual(refusal);
  named.add(names(most - 5, most), most);
  expect(refusalOf(() => named.add(['one more'], most))).toEqual(refusal);
  named.add(names(0, most), most);
});

test('users whom a socket failed to subscribe to do not count', () => {
  const named = new NamedUsers();
  named.add(names(0, 1), most);
  const takeBack = named.add(names(0, most), most);
  takeBack();
  named.add(names(most, 2 * most - 1), most);
  expect(refusalOf(() => named.add(['one more'], most))).toMatchObject({ id: 'invalid_operation' });
  named.add(names(0, 1), most);
});
