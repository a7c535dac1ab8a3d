import { implement } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { ContentRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../context.ts';
import { claimContents } from './claim-contents.ts';
import { createContent } from './create-content.ts';
import { getContents } from './get-contents.ts';
import { RECOVERY } from './recovery/index.ts';

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(
    ContentService,
    implement(ContentService, ctx, { createContent, getContents, claimContents }),
  );
  server.service(ContentRecoveryService, implement(ContentRecoveryService, ctx, RECOVERY));
}
