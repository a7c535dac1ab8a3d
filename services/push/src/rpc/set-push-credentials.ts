import { fail, failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  SetPushCredentialsRequest,
  SetPushCredentialsResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import type { Context } from '../context.ts';
import { contextOf } from '../credentials/store.ts';
import type { Sender } from '../delivery/send.ts';
import { AccessRefused } from '../provider/fcm/access-token.ts';
import { parseServiceAccount, type FcmCredentials } from '../provider/fcm/credentials.ts';
import { upsertCredentials } from '../sql/credentials.ts';
import { requireAppId, requireProvider } from './app-id.ts';
import { withinCall } from './within.ts';

/**
 * Stores credentials that the provider takes, or that it could not be asked about. Problems: not_found, missing_property,
 * invalid_property.
 */
export async function setPushCredentials(
  ctx: Context,
  sender: Sender,
  { appUuid, provider: name, serviceAccount }: SetPushCredentialsRequest,
): RpcResponse<typeof SetPushCredentialsResponseSchema> {
  const appId = requireAppId(appUuid);
  const provider = requireProvider(name);
  if (serviceAccount === '')
    fail('missing_property', { property: 'service_account', message: 'service_account is required.' });
  const credentials = parseServiceAccount(serviceAccount);
  const isVerified = await withinCall(verify(sender, credentials), false);
  const { projectId, clientEmail } = credentials;
  const now = ctx.clock.now();
  const shown = { projectId, clientEmail };
  const sealed = ctx.keyRing.seal(JSON.stringify(credentials), contextOf(appId, provider));
  if (!(await upsertCredentials(ctx.db, { appId, provider }, { shown, now, ...sealed })))
    return failNotFound('app', appUuid);
  return { credentials: { provider, updatedAt: now, ...shown }, isVerified };
}

/** False when Google cannot be asked. Problems: invalid_property, with Google's reason. */
async function verify({ accessTokens }: Sender, credentials: FcmCredentials): Promise<boolean> {
  try {
    accessTokens.forget(credentials);
    await accessTokens.get(credentials);
    return true;
  } catch (error) {
    if (!(error instanceof AccessRefused)) return false;
    return fail('invalid_property', {
      property: 'service_account',
      message: `service_account is refused. ${error.message}`,
    });
  }
}
