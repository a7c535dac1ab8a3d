import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { createSigner } from './identity-token.ts';

test("the token has the claims of the protocol, and is signed with the application's key", async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const sign = await createSigner({
    wireName: 'svc',
    providerId: 'svc:///providers/2',
    keyId: 'svc:///keys/3',
    privateKeyPem: await exportPKCS8(privateKey),
  });
  const token = await sign({ user: 'ada', nonce: 'a+b', first_name: 'Ada' });
  const { payload, protectedHeader } = await jwtVerify(token, publicKey);
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: 'svc:///keys/3' });
  expect(payload).toMatchObject({
    iss: 'svc:///providers/2',
    prn: 'ada',
    nce: 'a+b',
    first_name: 'Ada',
    display_name: 'Ada',
  });
  expect(payload.exp! - payload.iat!).toBe(300);
});
