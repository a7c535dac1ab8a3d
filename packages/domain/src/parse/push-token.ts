import { create } from '@parley/codec';
import { PushTokenSchema, type PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { limits } from '@parley/contract/limits';
import { PUSH_TOKEN_TYPES } from '@parley/contract/values';
import { isStorableText } from '../metadata.ts';
import { countCharacters, isDotSegment } from '../user-id.ts';
import { parseName } from './choice.ts';
import { checkConveyable } from './conveyable.ts';
import { invalid, isFields, missing, optional, parseObject, requiredText, type Fields } from './fields.ts';
import { isAuthSecret, isCurvePoint } from '../web-push-keys.ts';

/** Longer than any key of a subscription. */
const MAX_KEY_CHARACTERS = 200;

/**
 * Push address of a device; further properties are its details. For `web`, the keys are checked. Fails with missing_property,
 * invalid_property, invalid_request. docs/protocol/users.md#devices
 */
export function parsePushToken(body: unknown): PushToken {
  const fields = parseObject(body);
  const { token: _token, type: _type, device_id: _device, ...rest } = fields;
  const details = checkConveyable(rest);
  if (Buffer.byteLength(JSON.stringify(details)) > limits.pushTokenBytes)
    invalid('token', 'comes with too much else.');
  const type = parseName(PUSH_TOKEN_TYPES, requiredText(fields, 'type'), 'type');
  const token = readToken(fields);
  checkKeys(fields, type === 'web');
  if (type === 'web') checkEndpoint(token);
  return create(PushTokenSchema, {
    type,
    token,
    deviceId: readDeviceId(fields),
    details,
  });
}

function readToken(fields: Fields): string {
  const token = requiredText(fields, 'token');
  const max = limits.pushTokenBytes;
  const fits = token !== '' && Buffer.byteLength(token) <= max && isStorableText(token);
  return fits ? token : invalid('token', `must have 1 to ${max} bytes.`);
}

function readDeviceId(fields: Fields): string {
  const id = requiredText(fields, 'device_id');
  const max = limits.userId;
  const fits = id !== '' && countCharacters(id) <= max && isStorableText(id);
  if (isDotSegment(id)) return invalid('device_id', 'must not be "." or "..".');
  return fits ? id : invalid('device_id', `must have 1 to ${max} characters.`);
}

/** Keys are needed for `web`, and may be left out otherwise. */
function checkKeys(fields: Fields, areNeeded: boolean): void {
  const keys = optional(fields, 'keys');
  if (keys === undefined) return areNeeded ? missing('keys') : undefined;
  if (!isFields(keys)) return invalid('keys', 'must be an object.');
  const p256dh = readKey(keys, 'p256dh');
  const auth = readKey(keys, 'auth');
  if (!areNeeded) return;
  if (!isCurvePoint(p256dh)) invalid('keys.p256dh', 'must be a point of the curve P-256 as base64url.');
  if (!isAuthSecret(auth)) invalid('keys.auth', 'must be 16 bytes as base64url.');
}

function readKey(keys: Fields, name: string): string {
  const property = `keys.${name}`;
  const key = requiredText(keys, name, property);
  return countCharacters(key) <= MAX_KEY_CHARACTERS ? key : invalid(property, 'is too long.');
}

/** Identity checks whether its host is a push service. */
function checkEndpoint(endpoint: string): void {
  const url = URL.parse(endpoint);
  const fits = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (!fits) invalid('token', 'must be an https:// address.');
}
