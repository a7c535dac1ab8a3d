import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import type { Context } from '../context.ts';
import { claimContents } from './claim-contents.ts';
import { createContent } from './create-content.ts';
import { getContents } from './get-contents.ts';

/** The whole API of this service, besides its HTTP port. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ContentService, contentService(ctx));
}

function contentService(ctx: Context): ServiceImpl<typeof ContentService> {
  return {
    createContent: (req) => createContent(ctx, req),
    getContents: (req) => getContents(ctx, req),
    claimContents: (req) => claimContents(ctx, req),
  };
}
