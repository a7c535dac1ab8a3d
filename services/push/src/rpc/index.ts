import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import type { RpcServer } from '@parley/kit/rpc/server';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { PushService } from '@parley/proto/parley/push/v1/push_service_pb';
import type { Context } from '../context.ts';
import type { Sender } from '../delivery/send.ts';
import { deletePushCredentials } from './delete-push-credentials.ts';
import { getPushCredentials } from './get-push-credentials.ts';
import { getPushKey } from './get-push-key.ts';
import { listPushes } from './list-pushes.ts';
import { getPushSettings, setPushSettings } from './push-settings.ts';
import { sendTestPush } from './send-test-push.ts';
import { setPushCredentials } from './set-push-credentials.ts';

/** Mounts the RPCs of this service; each call takes its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context, sender: Sender): void {
  const shares = createPoolShares({ poolSize: ctx.config.poolSize, refusal: tooManyAtOnce });
  server.service(PushService, {
    getPushKey: (req) => shares.run(req.appId, () => getPushKey(ctx, req)),
    listPushes: (req) => shares.run(req.appId, () => listPushes(ctx, req)),
  });
  server.service(PushAdminService, {
    // Waits for the provider without a connection.
    setPushCredentials: (req) => setPushCredentials(ctx, sender, req),
    getPushCredentials: (req) => shares.run(req.appUuid, () => getPushCredentials(ctx, req)),
    deletePushCredentials: (req) => shares.run(req.appUuid, () => deletePushCredentials(ctx, req)),
    setPushSettings: (req) => shares.run(req.appUuid, () => setPushSettings(ctx, req)),
    getPushSettings: (req) => shares.run(req.appUuid, () => getPushSettings(ctx, req)),
    sendTestPush: (req) => sendTestPush(ctx, sender, req),
  });
}
