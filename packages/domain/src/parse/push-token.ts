import { create } from '@bufbuild/protobuf';
import { PushTokenSchema, type PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { limits } from '@parley/contract/limits';
import { PUSH_TOKEN_TYPES } from '@parley/contract/values';
import { isStorableText } from '../metadata.ts';
import { countCharacters } from '../user-id.ts';
import { parseName } from './choice.ts';
import { checkConveyable } from './conveyable.ts';
import { invalid, parseObject, requiredText, type Fields } from './fields.ts';

/**
 * Address of pushes to a device. Further properties are kept for the push connector. Fails with missing_property,
 * invalid_property, invalid_request. docs/protocol/users.md#devices
 */
export function parsePushToken(body: unknown): PushToken {
  const fields = parseObject(body);
  const { token: _token, type: _type, device_id: _device, ...rest } = fields;
  const details = checkConveyable(rest);
  if (Buffer.byteLength(JSON.stringify(details)) > limits.pushTokenBytes)
    invalid('token', 'comes with too much else.');
  const type = parseName(PUSH_TOKEN_TYPES, requiredText(fields, 'type'), 'type');
  return create(PushTokenSchema, {
    type,
    token: readToken(fields),
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
  return fits ? id : invalid('device_id', `must have 1 to ${max} characters.`);
}
