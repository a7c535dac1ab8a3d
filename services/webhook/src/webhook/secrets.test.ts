import { newSecret, rotate, signingSecrets } from './secrets.ts';

const DAY = 24 * 3600_000;

test('a replaced secret signs for another day', () => {
  const secrets = rotate({ current: 'old', previous: [] }, 'new', 1000);
  expect(signingSecrets(secrets, 1000)).toEqual(['new', 'old']);
  expect(signingSecrets(secrets, 1000 + DAY - 1)).toEqual(['new', 'old']);
  expect(signingSecrets(secrets, 1000 + DAY)).toEqual(['new']);
});

test('several replaced secrets sign, each for its own day', () => {
  const secrets = rotate(rotate({ current: 'a', previous: [] }, 'b', 0), 'c', DAY / 2);
  expect(signingSecrets(secrets, DAY / 2)).toEqual(['c', 'b', 'a']);
  expect(signingSecrets(secrets, DAY)).toEqual(['c', 'b']);
  expect(rotate(secrets, 'd', 2 * DAY).previous.map(({ secret }) => secret)).toEqual(['c']);
});

test('a new secret is 256 random bits', () => {
  expect(Buffer.from(newSecret().slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(newSecret()).not.toBe(newSecret());
});
