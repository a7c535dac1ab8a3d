import { createSubscription } from './web-push-decryption.ts';

/** The example of RFC 8291, section 5. */
const BODY =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
  'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
const device = {
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('the example of the RFC is decrypted', () => {
  const { keys, decrypt } = createSubscription(device);
  expect(keys.p256dh).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  );
  expect(decrypt(Buffer.from(BODY, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
});

test('a body for another subscription is not', () => {
  const { decrypt } = createSubscription();
  expect(() => decrypt(Buffer.from(BODY, 'base64url'))).toThrow();
});
