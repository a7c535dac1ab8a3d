import { createPrivateKey, createPublicKey } from 'node:crypto';
import { makeKeyPair } from './key-pair.ts';

test('a pair has 4,096 bits, in the forms that OpenSSL reads', async () => {
  const { publicKey, privateKey } = await makeKeyPair();
  const [open, secret] = [createPublicKey(publicKey), createPrivateKey(privateKey)];
  expect(open.asymmetricKeyDetails?.modulusLength).toBe(4_096);
  expect(createPublicKey(secret).equals(open)).toBe(true);
  expect(Math.max(...privateKey.split('\n').map(({ length }) => length))).toBe(64);
});
