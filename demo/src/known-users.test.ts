import { createKnownUsers } from './known-users.ts';

test.each(['', '.', '..', 'svc:///identities/x', 'x'.repeat(257), 'a\nb', '\u0000'])(
  'an id that the platform refuses is not noted: %j',
  (userId) => {
    const users = createKnownUsers(['ada']);
    users.add(userId);
    expect(users.ids()).toEqual(['ada']);
  },
);

test('of more than 200 users those are forgotten who logged in first', () => {
  const users = createKnownUsers(['ada', 'grace']);
  for (let number = 0; number < 200; number++) users.add(`user-${number}`);
  users.add('user-0');
  users.add('mira');
  expect(users.ids()).toHaveLength(200);
  expect(users.ids().slice(-2)).toEqual(['user-0', 'mira']);
  expect(users.ids()).not.toContain('ada');
});
