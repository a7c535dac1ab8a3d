import { generateKeyPairSync } from 'node:crypto';
import { signIdentityToken } from '../../src/server/index.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

test.each([
  ['svc:///providers/p', undefined, 'svc-eit;v=1'],
  ['acme:///providers/p', undefined, 'acme-eit;v=1'],
  ['svc:///providers/p', 'acme', 'acme-eit;v=1'],
])(
  'a token of the provider %s has the name of its deployment (given: %s)',
  async (providerId, name, expected) => {
    const input = { userId: 'ada', nonce: 'n', providerId, keyId: 'k', privateKey };
    const token = await signIdentityToken(name === undefined ? input : { ...input, wireName: name });
    const [header = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ cty: expected });
  },
);
