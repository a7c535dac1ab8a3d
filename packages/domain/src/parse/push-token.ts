import { create } from '@bufbuild/protobuf';
import { PushTokenSchema, type PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { limits } from '@parley/contract/limits';
import { isStorableText } from '../metadata.ts';
import { checkConveyable } from './conveyable.ts';
import { invalid, parseObject, requiredText, type Fields } from './fields.ts';

const PUSH_TOKEN_TYPES = new Set(['apns', 'fcm', 'gcm', 'web']);

/**
 * Address of pushes to a device. Further properties are kept for the push connector. Fails with missing_property,
 * invalid_property, invalid_request. SPEC completions 4, push tokens
 */
export function parsePushToken(body: unknown): PushToken {
  const fields = parseObject(body);
  const { token: _token, type: _type, device_id: _device, ...rest } = fields;
  const details = checkConveyable(rest);
  if (Buffer.byteLength(JSON.stringify(details)) > limits.pushTokenBytes)
    invalid('token', 'comes with too much else.');
  const type = requiredText(fields, 'type');
  if (!PUSH_TOKEN_TYPES.has(type)) invalid('type', `must be one of ${[...PUSH_TOKEN_TYPES].join(', ')}.`);
  return create(PushTokenSchema, {
    type,
    token: readText(fields, 'token', limits.pushTokenBytes),
    deviceId: readText(fields, 'device_id', limits.userId),
    details,
  });
}

function readText(fields: Fields, name: string, max: number): string {
  const text = requiredText(fields, name);
  const fits = text !== '' && text.length <= max && isStorableText(text);
  return fits ? text : invalid(name, `must be 1 to ${max} characters.`);
}
