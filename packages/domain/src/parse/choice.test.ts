import { EXPORT_EVENTS } from '../events/export-events.ts';
import { WEBHOOK_EVENTS } from '../events/webhook-events.ts';
import { problemOf } from '../problems.ts';
import { messageId, wire } from '../testing/samples.ts';
import { parseChoice, parseName } from './choice.ts';
import { parseExportKey, parseExportSchedule } from './export.ts';
import { parseExportedMessage } from './exported.ts';
import { parseIdentity } from './identity.ts';
import { parseMode, parseQueryFlag } from './mode.ts';
import { parsePartBody } from './part.ts';
import { parsePatch } from './patch.ts';
import { parsePresence, parsePresencePatch } from './presence.ts';
import { parsePushToken } from './push-token.ts';
import { parseReceiptType } from './receipt.ts';
import { parseDeliveryStatus, parseReplay } from './replay.ts';
import { parseSignificance } from './significance.ts';
import { parseBlocksPatch, parseUserPatch } from './user-patch.ts';
import { parseWebhook, parseWebhookChanges } from './webhook.ts';

const { publicKey } = await rsaKeyPair();
const rules = { wire, inlineBodyBytes: 2048 };
const query = (text: string) => new URLSearchParams(text);
const step = (operation: string, property: string) => [{ operation, property, value: 'x' }];
const PRESENCES = ['available', 'away', 'busy', 'offline', 'invisible', 'auto'];
const IDENTITY_PROPERTIES = [
  'display_name',
  'avatar_url',
  'first_name',
  'last_name',
  'phone_number',
  'email_address',
  'public_key',
  'type',
  'identity_type',
  'metadata',
  'metadata.<key>',
];

async function rsaKeyPair(): Promise<{ publicKey: string }> {
  const { generateKeyPairSync } = await import('node:crypto');
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

function dataOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    const found = problemOf(error);
    return { id: found?.id, ...found?.data };
  }
  return undefined;
}

test.each<[string, readonly string[], () => unknown]>([
  ['padding', ['pkcs1', 'oaep-sha256'], () => parseExportKey({ public_key: publicKey, padding: 'none' })],
  ['interval', ['disabled', 'daily'], () => parseExportSchedule({ interval: 'weekly' })],
  ['events', EXPORT_EVENTS, () => parseExportSchedule({ interval: 'daily', events: ['message.seen'] })],
  ['events', WEBHOOK_EVENTS, () => parseWebhookChanges({ events: ['Message.read'] }, { allowHttp: false })],
  ['version', ['3.0'], () => parseWebhook(wire, { version: '2.0' }, { allowHttp: false })],
  ['type', ['User', 'Bot'], () => parseIdentity({ type: 'robot' }, 'update')],
  ['0.operation', ['set', 'delete'], () => parseIdentity(step('add', 'first_name'), 'update')],
  ['0.property', IDENTITY_PROPERTIES, () => parseIdentity(step('set', 'name'), 'update')],
  ['mode', ['my_devices', 'all_participants'], () => parseMode(query('mode=all'))],
  ['leave', ['true', 'false'], () => parseQueryFlag(query('leave=yes'), 'leave')],
  ['encoding', ['base64'], () => parsePartBody(rules, { mime_type: 'text/plain', encoding: 'hex' })],
  [
    '0.property',
    [
      'metadata',
      'metadata.<key>',
      'participants',
      'history.<user id>',
      'roles.<identity>',
      'frozen',
      'slow_mode_in_seconds',
    ],
    () => parsePatch(wire, step('set', 'name')),
  ],
  ['0.operation', ['set', 'delete'], () => parsePatch(wire, step('add', 'metadata.a'))],
  ['0.operation', ['add', 'remove', 'set'], () => parsePatch(wire, step('delete', 'participants'))],
  ['status', PRESENCES, () => parsePresence({ status: 'asleep' })],
  ['0.operation', ['set'], () => parsePresencePatch(step('delete', 'status'))],
  ['0.property', ['status', 'presence.status'], () => parsePresencePatch(step('set', 'mood'))],
  ['type', ['apns', 'fcm', 'gcm', 'web'], () => parsePushToken({ type: 'pager' })],
  ['type', ['read', 'delivery'], () => parseReceiptType({ type: 'seen' })],
  ['status', ['dead', 'delivered'], () => parseReplay({ from: '2026-11-22T00:00:00Z', status: 'x' }, 0)],
  ['status', ['pending', 'delivered', 'dead'], () => parseDeliveryStatus('failed')],
  ['significance.default', ['normal', 'low'], () => parseSignificance(wire, { default: 'high' })],
  [
    'significance.recipients',
    ['normal', 'low'],
    () => parseSignificance(wire, { recipients: { ada: 'no' } }),
  ],
  ['0.property', ['suspended', 'blocks'], () => parseUserPatch(wire, step('set', 'name'))],
  ['0.operation', ['set'], () => parseUserPatch(wire, step('add', 'suspended'))],
  ['0.operation', ['add', 'remove', 'set'], () => parseUserPatch(wire, step('drop', 'blocks'))],
  ['property', ['blocks'], () => parseBlocksPatch(wire, [{ ...step('set', 'suspended')[0], value: true }])],
  ['recipient_status', ['sent', 'delivered', 'read'], () => parseExportedMessage(wire, exportedMessage())],
])('a wrong %s is answered with the values %j', (property, accepted, call) => {
  expect(dataOf(call)).toEqual({ id: 'invalid_property', property, accepted: [...accepted] });
});

function exportedMessage(): object {
  return {
    id: messageId,
    conversation: { id: messageId },
    position: 1,
    sender: { id: 'ada' },
    parts: [{ mime_type: 'text/plain', body: 'x' }],
    sent_at: '2026-11-22T00:00:00Z',
    recipient_status: { ada: 'seen' },
  };
}

test.each([['toString'], ['constructor'], ['__proto__'], [''], [1], [null], [{}]])(
  'names that every object has, and other types, are no choice: %j',
  (value) => {
    expect(dataOf(() => parseChoice({ a: 1 }, value, 'p'))).toMatchObject({ accepted: ['a'] });
    expect(dataOf(() => parseName(['a'], value, 'p'))).toMatchObject({ accepted: ['a'] });
  },
);

test('the name of false is a choice', () => {
  expect(parseChoice({ off: false, none: 0 }, 'off', 'p')).toBe(false);
  expect(parseChoice({ off: false, none: 0 }, 'none', 'p')).toBe(0);
});
