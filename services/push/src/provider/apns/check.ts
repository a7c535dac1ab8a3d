import { create } from '@parley/codec';
import { fail } from '@parley/domain/problems';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { PushTokenSchema } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { Context } from '../../context.ts';
import type { Connections } from './connections.ts';
import type { ApnsCredentials } from './credentials.ts';
import { apnsPayload } from './message.ts';
import type { ProviderTokens } from './provider-token.ts';
import { sendApns } from './send.ts';

/** No device has this token, so Apple says what it thinks of the credentials, and shows nothing. */
const NO_DEVICE = '0'.repeat(64);

/** Asks Apple about credentials: false when it cannot be asked. Problems: invalid_property, with Apple's reason. */
export async function checkApns(
  ctx: Context,
  parts: { connections: Connections; tokens: ProviderTokens },
  { appId, credentials }: { appId: string; credentials: ApnsCredentials },
): Promise<boolean> {
  const token = create(PushTokenSchema, { type: 'apns', token: NO_DEVICE });
  const body = apnsPayload({ badge: 0 }, undefined);
  const push = { appId, token, type: 'alert' as const, body, identity: NIL_UUID, ttl: 0 };
  const outcome = await sendApns(ctx, parts, { credentials, push });
  if (outcome.kind === 'failed') return false;
  if (outcome.kind !== 'refused') return true;
  const property = refusedProperty(outcome.reason);
  if (property === undefined) return true;
  return fail('invalid_property', {
    property,
    message: `${property} is refused. Apple answered ${outcome.reason}.`,
  });
}

/** The credential that Apple refuses; undefined: the refusal is about something else. */
function refusedProperty(reason: string): 'private_key' | 'topic' | undefined {
  if (/ProviderToken/.test(reason)) return 'private_key';
  return /Topic(Disallowed)?$/.test(reason) && !reason.endsWith('DeviceTokenNotForTopic')
    ? 'topic'
    : undefined;
}
