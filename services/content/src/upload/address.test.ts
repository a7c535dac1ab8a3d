import { randomUUID } from 'node:crypto';
import { newUploadToken, repeatedToken } from './address.ts';

const before = { contentSecret: 'the secret until today', acceptedContentSecrets: [] };
const after = { contentSecret: 'the secret from today', acceptedContentSecrets: ['the secret until today'] };

test('a repeated request gets the same token, also when the secret was replaced meanwhile', () => {
  const operationId = randomUUID();
  const first = newUploadToken(before, operationId);
  expect(repeatedToken(before, operationId, first.hash)).toEqual(first);
  expect(repeatedToken(after, operationId, first.hash)).toEqual(first);
  expect(newUploadToken(after, operationId)).not.toEqual(first);
});

test('a token cannot be derived from a secret that is not accepted, nor for another operation', () => {
  const operationId = randomUUID();
  const { hash } = newUploadToken(after, operationId);
  expect(repeatedToken(before, operationId, hash)).toBeUndefined();
  expect(repeatedToken(after, randomUUID(), hash)).toBeUndefined();
});
