import type {
  ListUserDevicesRequest,
  ListUserDevicesResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { listDevices } from '../../sql/push-token.ts';
import { requireUser } from '../../identity/users.ts';
import { namedUser } from '../../admin/look-up.ts';

/** Devices with a push token, without the tokens. Problems: not_found. */
export async function listUserDevices(
  ctx: Context,
  req: ListUserDevicesRequest,
): RpcResponse<typeof ListUserDevicesResponseSchema> {
  const user = await namedUser(ctx, req);
  await requireUser(ctx, user);
  const devices = await listDevices(ctx.db, user);
  return {
    devices: devices.map(({ device_id, type, updated_at }) => ({
      deviceId: device_id,
      type,
      updatedAt: updated_at,
    })),
  };
}
