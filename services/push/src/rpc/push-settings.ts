import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  GetPushSettingsRequest,
  GetPushSettingsResponseSchema,
  SetPushSettingsRequest,
  SetPushSettingsResponseSchema,
} from '@parley/proto/parley/push/v1/push_admin_service_pb';
import type { Context } from '../context.ts';
import * as settings from '../sql/push-settings.ts';
import { requireAppId } from './app-id.ts';

/** Changes the given settings alone. Problems: not_found. */
export async function setPushSettings(
  { db }: Context,
  { appUuid, ...given }: SetPushSettingsRequest,
): RpcResponse<typeof SetPushSettingsResponseSchema> {
  const appId = requireAppId(appUuid);
  const { idsOnly, collapseByConversation, skipConnectedUsers } = given;
  const changed = await settings.upsertPushSettings(db, appId, {
    ...(idsOnly !== undefined && { idsOnly }),
    ...(collapseByConversation !== undefined && { collapseByConversation }),
    ...(skipConnectedUsers !== undefined && { skipConnectedUsers }),
  });
  return { settings: changed ?? failNotFound('app', appUuid) };
}

/** Problems: not_found. */
export async function getPushSettings(
  { db }: Context,
  { appUuid }: GetPushSettingsRequest,
): RpcResponse<typeof GetPushSettingsResponseSchema> {
  return { settings: await settings.getPushSettings(db, requireAppId(appUuid)) };
}
