import { limits } from '@parley/contract/limits';
import { createWire } from '../wire.ts';
import { failureOf } from '../testing/failure.ts';
import { rules } from '../testing/samples.ts';
import { parseIdentity } from './identity.ts';
import { parseNotification } from './notification.ts';
import { parsePartBody } from './part.ts';
import { parsePushToken } from './push-token.ts';
import { parseWebhook } from './webhook.ts';

/** One character of two UTF-16 units. */
const OWL = '🦉';
const WEBHOOK = { version: '3.0', target_url: 'https://app.example.com', events: ['Message.created'] };
const DEVICE = { token: 'abc', type: 'apns', device_id: 'phone' };

test.each([
  ['display_name', limits.displayName, (text: string) => parseIdentity({ display_name: text }, 'create')],
  ['notification.text', limits.notificationText, (text: string) => parseNotification({ text })],
  [
    'mime_type',
    limits.mimeType - 'text/plain;'.length,
    (text: string) => parsePartBody(rules, { mime_type: `text/plain;${text}`, body: '' }),
  ],
  ['device_id', limits.userId, (text: string) => parsePushToken({ ...DEVICE, device_id: text })],
  [
    'secret',
    limits.webhookSecret,
    (secret: string) => parseWebhook(createWire(), { ...WEBHOOK, secret }, { allowHttp: false }),
  ],
])('%s may have %d characters, however they are encoded', (property, most, parse) => {
  expect(() => parse(OWL.repeat(most))).not.toThrow();
  expect(failureOf(() => parse(OWL.repeat(most + 1)))).toBe(`invalid_property ${property}`);
});

test('the token of a device is limited in bytes, since pushes carry many of them', () => {
  const parse = (token: string) => parsePushToken({ ...DEVICE, token });
  expect(parse(OWL.repeat(limits.pushTokenBytes / 4)).token).toHaveLength(limits.pushTokenBytes / 2);
  expect(failureOf(() => parse(OWL.repeat(limits.pushTokenBytes / 4) + 'x'))).toBe('invalid_property token');
});
