import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import type { RpcServer } from '@parley/kit/rpc/server';
import { PushService } from '@parley/proto/parley/push/v1/push_service_pb';
import type { Context } from '../context.ts';
import { getPushKey } from './get-push-key.ts';

/** Mounts the RPCs of this service; each call takes its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  const shares = createPoolShares({ poolSize: ctx.config.poolSize, refusal: tooManyAtOnce });
  server.service(PushService, {
    getPushKey: (req) => shares.run(req.appId, () => getPushKey(ctx, req)),
  });
}
