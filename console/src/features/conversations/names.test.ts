import type { BasicIdentity } from '@parley/contract/gen/records';
import { nameOf, namesOf, userIdOf } from './names.ts';

function identity(user_id: string, display_name: string | null = null): BasicIdentity {
  return { id: `svc:///identities/${user_id}`, user_id, display_name } as BasicIdentity;
}

test('a person is shown by their name, or else by their id; the platform has a name too', () => {
  expect(nameOf(identity('ada', 'Ada Lovelace'))).toBe('Ada Lovelace');
  expect(nameOf(identity('ada'))).toBe('ada');
  expect(nameOf(null)).toBe('the platform');
});

test('a conversation is named by its participants', () => {
  expect(namesOf([identity('ada', 'Ada'), identity('grace')])).toBe('Ada, grace');
  expect(namesOf([])).toBe('no participants');
});

test.each([
  ['svc:///identities/ada', 'ada'],
  ['svc:///identities/a%2Fb', 'a/b'],
  ['svc:///identities/%zz', '%zz'],
])('the user of %s is %s', (uri, user) => {
  expect(userIdOf(uri)).toBe(user);
});
