import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { ContentRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { contextOf, type Context } from '../context.ts';
import { claimContents } from './claim-contents.ts';
import { createContent } from './create-content.ts';
import { getContents } from './get-contents.ts';
import { recoveryService } from './recovery/index.ts';

/** Mounts the RPCs of this service; each call takes its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ContentService, contentService(ctx));
  server.service(ContentRecoveryService, recoveryService(ctx));
}

function contentService(ctx: Context): ServiceImpl<typeof ContentService> {
  const { shares } = ctx;
  return {
    createContent: (req) => shares.run(req.appId, () => createContent(ctx, req)),
    // Its statements run in parallel, each on its own connection.
    getContents: (req) => getContents(contextOf(ctx, req.appId), req),
    claimContents: (req) => shares.run(req.appId, () => claimContents(ctx, req)),
  };
}
