import { makeSecret } from './secret.ts';

test('a new secret has 24 random bytes in the form of Standard Webhooks', () => {
  const secrets = [makeSecret(), makeSecret()].map((secret) => {
    const [, base64 = ''] = /^whsec_([\w+/]+={0,2})$/.exec(secret) ?? [];
    return Buffer.from(base64, 'base64');
  });
  expect(secrets.map(({ length }) => length)).toEqual([24, 24]);
  expect(secrets[0]).not.toEqual(secrets[1]);
});
