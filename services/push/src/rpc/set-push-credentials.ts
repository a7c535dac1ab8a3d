import { fail, failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  SetPushCredentialsRequest,
  SetPushCredentialsResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { contextOf } from '../credentials/store.ts';
import type { Sender } from '../delivery/send.ts';
import { parseApnsCredentials } from '../provider/apns/credentials.ts';
import { AccessRefused } from '../provider/fcm/access-token.ts';
import { parseServiceAccount, type FcmCredentials } from '../provider/fcm/credentials.ts';
import { upsertCredentials } from '../sql/credentials.ts';
import { requireAppId, requireProvider } from './app-id.ts';
import { withinCall } from './within.ts';
import type { RpcContext } from './rpc-context.ts';

/** Credentials in the form that is sealed, what may be shown of them, and the question to the provider. */
type Read = { secret: object; shown: Record<string, string>; verify(): Promise<boolean> };

/**
 * Stores credentials that the provider takes, or that it could not be asked about. Problems: not_found, missing_property,
 * invalid_property.
 */
export async function setPushCredentials(
  ctx: RpcContext,
  request: SetPushCredentialsRequest,
): RpcResponse<typeof SetPushCredentialsResponseSchema> {
  const appId = requireAppId(request.appUuid);
  const provider = requireProvider(request.provider);
  const { secret, shown, verify } =
    provider === 'fcm' ? readFcm(ctx.sender, request) : readApns(ctx.sender, appId, request);
  const isVerified = await withinCall(verify(), false);
  const now = ctx.clock.now();
  const sealed = ctx.sealer.seal(JSON.stringify(secret), contextOf(appId, provider));
  if (!(await upsertCredentials(ctx.db, { appId, provider }, { shown, now, sealed })))
    return failNotFound('app', appId);
  return { credentials: { provider, updatedAt: now, ...shown }, isVerified };
}

function readFcm(sender: Sender, { serviceAccount }: SetPushCredentialsRequest): Read {
  if (serviceAccount === '')
    fail('missing_property', { property: 'service_account', message: 'service_account is required.' });
  const secret = parseServiceAccount(serviceAccount);
  const { projectId, clientEmail } = secret;
  return { secret, shown: { projectId, clientEmail }, verify: () => verifyFcm(sender, secret) };
}

function readApns(sender: Sender, appId: string, request: SetPushCredentialsRequest): Read {
  const { privateKey, keyId, teamId, topic } = request;
  const secret = parseApnsCredentials({ privateKey, keyId, teamId, topic });
  return { secret, shown: { keyId, teamId, topic }, verify: () => sender.checkApns(appId, secret) };
}

/** False when Google cannot be asked. Problems: invalid_property, with Google's reason. */
async function verifyFcm({ accessTokens }: Sender, credentials: FcmCredentials): Promise<boolean> {
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
