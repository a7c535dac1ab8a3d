import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  GetPushCredentialsRequest,
  GetPushCredentialsResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import type { Context } from '../context.ts';
import { listCredentials } from '../sql/credentials.ts';
import { requireAppId } from './app-id.ts';

/** Returns the properties of an application's credentials that may be shown. Problems: not_found. */
export async function getPushCredentials(
  { db }: Context,
  { appUuid }: GetPushCredentialsRequest,
): RpcResponse<typeof GetPushCredentialsResponseSchema> {
  const rows = await listCredentials(db, requireAppId(appUuid));
  return {
    credentials: rows.map(({ provider, shown, updated_at: updatedAt }) => ({
      provider,
      updatedAt,
      ...shown,
    })),
  };
}
