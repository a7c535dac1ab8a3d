import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
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
import type { RpcContext } from './rpc-context.ts';
import { sendTestPush } from './send-test-push.ts';
import { setPushCredentials } from './set-push-credentials.ts';

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, context: Context, sender: Sender): void {
  const shares = createPoolShares({ poolSize: context.config.poolSize, refusal: tooManyAtOnce });
  const ctx: RpcContext = { ...context, sender, shares };
  server.service(PushService, implement(PushService, ctx, { getPushKey, listPushes }));
  server.service(PushAdminService, implement(PushAdminService, ctx, ADMINISTRATION));
}

const ADMINISTRATION: Handlers<typeof PushAdminService, RpcContext> = {
  setPushCredentials,
  getPushCredentials,
  deletePushCredentials,
  setPushSettings,
  getPushSettings,
  sendTestPush,
};
