import { createHmac } from 'node:crypto';
import { createWire } from '@parley/domain/wire';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { signatureHeaders } from './signatures.ts';

const wire = createWire();
const body = JSON.stringify({ event: { type: 'Message.created' }, text: 'schön 🙂' });
const timestamp = Math.floor(Date.now() / 1000);
const [encoded, other, plain] = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  'plain words, schön too',
];
function sign(...secrets: string[]) {
  return signatureHeaders(wire, { id: 'id-1', timestamp, body, secrets });
}

test.each([[[encoded]], [[other, encoded]], [[encoded, other]]])(
  'public verifiers accept what %j signed',
  (secrets) => {
    const headers = sign(...secrets);
    for (const secret of secrets) {
      expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new SvixWebhook(secret).verify(body, headers)).not.toThrow();
    }
    const changed = () => new StandardWebhook(encoded).verify(`${body} `, headers);
    expect(changed).toThrow();
    expect(() => new SvixWebhook('whsec_AAAA').verify(body, headers)).toThrow();
  },
);

test('a secret without the prefix is a key by its own bytes', () => {
  const headers = sign(plain);
  const key = `whsec_${Buffer.from(plain).toString('base64')}`;
  expect(new StandardWebhook(key).verify(body, headers)).toEqual(JSON.parse(body));
});

test('ten lines of code verify both families', () => {
  const headers = sign(plain, encoded);
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', plain).update(content).digest('base64');
  expect(headers['webhook-signature']?.split(' ')).toContain(`v1,${expected}`);
  const hex = (secret: string) => createHmac('sha1', secret).update(body).digest('hex');
  expect(headers['svc-webhook-signature']).toBe(hex(plain));
  expect(headers['svc-webhook-signature-previous']).toBe(hex(encoded));
});
