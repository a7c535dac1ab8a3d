import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  DeletePushCredentialsRequest,
  DeletePushCredentialsResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import type { Context } from '../context.ts';
import { deleteCredentials } from '../sql/credentials.ts';
import { requireAppId, requireProvider } from './app-id.ts';

/** Problems: not_found, missing_property, invalid_property. */
export async function deletePushCredentials(
  { db }: Context,
  { appUuid, provider }: DeletePushCredentialsRequest,
): RpcResponse<typeof DeletePushCredentialsResponseSchema> {
  await deleteCredentials(db, { appId: requireAppId(appUuid), provider: requireProvider(provider) });
  return {};
}
