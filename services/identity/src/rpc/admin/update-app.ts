import type {
  UpdateAppRequest,
  UpdateAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { changeAppSettings } from '../../admin/app-settings.ts';
import type { Context } from '../../context.ts';
import { toApp } from '../../admin/view.ts';
import { parseAppId, parseName } from '../../admin/parse-input.ts';
import { failUnknown } from '../../admin/look-up.ts';

/** Changes the given settings alone. */
export async function updateApp(
  ctx: Context,
  req: UpdateAppRequest,
): RpcResponse<typeof UpdateAppResponseSchema> {
  const settings = {
    name: req.name === undefined ? undefined : parseName(req.name),
    sessionTtlInSeconds: req.sessionTtlInSeconds,
    allowedOrigins: req.allowedOrigins?.origins,
    inlineBodyBytes: req.inlineBodyBytes,
    publicIdentityFields: req.publicIdentityFields?.names,
    userDirectory: req.userDirectory,
  };
  const appId = parseAppId(ctx.wire, req.appUuid);
  const app = await changeAppSettings(ctx, { appId, actor: 'admin', settings });
  return { app: toApp(ctx.wire, app ?? failUnknown('app', appId)) };
}
