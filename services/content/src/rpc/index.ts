import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { contextOf, type Context } from '../context.ts';
import { claimContents } from './claim-contents.ts';
import { createContent } from './create-content.ts';
import { getContents } from './get-contents.ts';

/** The whole API of this service, besides its HTTP port: calls take their application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ContentService, contentService(ctx));
}

function contentService(ctx: Context): ServiceImpl<typeof ContentService> {
  const { shares } = ctx;
  return {
    createContent: (req) => shares.run(req.appId, () => createContent(ctx, req)),
    // Its statements run side by side, each on a share of its own.
    getContents: (req) => getContents(contextOf(ctx, req.appId), req),
    claimContents: (req) => shares.run(req.appId, () => claimContents(ctx, req)),
  };
}
