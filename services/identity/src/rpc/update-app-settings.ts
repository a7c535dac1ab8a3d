import { failNotFound } from '@parley/domain/problems';
import type {
  UpdateAppSettingsRequest,
  UpdateAppSettingsResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import { changeAppSettings } from '../admin/app-settings.ts';
import type { Context } from '../context.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Fails with invalid_property if a setting is out of its range. */
export async function updateAppSettings(
  ctx: Context,
  request: UpdateAppSettingsRequest,
): RpcResponse<typeof UpdateAppSettingsResponseSchema> {
  const { appId, sessionTtlInSeconds, inlineBodyBytes, publicIdentityFields, userDirectory } = request;
  const app = await changeAppSettings(ctx, {
    appId,
    actor: 'server',
    settings: {
      sessionTtlInSeconds,
      inlineBodyBytes,
      publicIdentityFields: publicIdentityFields?.names,
      userDirectory,
    },
  });
  return app ? {} : failNotFound('app', appId);
}
