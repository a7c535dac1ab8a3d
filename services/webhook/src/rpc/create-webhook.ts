import { parseWebhook } from '@parley/domain/parse/webhook';
import { failTooMany } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { CreateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { sealSecrets } from '../webhook/secrets.ts';
import { countWebhooks, insertWebhook } from '../sql/webhook.ts';
import { changeOnce } from '../webhook/change-once.ts';
import type { RpcContext } from './rpc-context.ts';

/** Problems: invalid_property, invalid_operation. */
export async function createWebhook(ctx: RpcContext, req: CreateWebhookRequest) {
  const { secret, ...draft } = parseWebhook(ctx.wire, req.properties ?? {}, ctx.config);
  const id = ctx.newId();
  const createdAt = ctx.clock.now();
  const webhook = await changeOnce(ctx, 'create webhook', async (tx) => {
    await requireRoom(ctx, tx, req.appId);
    return insertWebhook(tx, {
      ...draft,
      appId: req.appId,
      id,
      secrets: sealSecrets(ctx.sealer, id, { current: secret, previous: [] }),
      createdAt,
      verificationId: ctx.newId(),
    });
  });
  await ctx.interests.register({ appId: req.appId, since: createdAt });
  ctx.verifier.wake();
  return { webhook };
}

/** Problems: invalid_operation. */
async function requireRoom({ config }: Context, tx: Tx, appId: string): Promise<void> {
  const limit = config.maxWebhooksPerApp;
  if ((await countWebhooks(tx, appId)) < limit) return;
  failTooMany({ property: 'webhooks', limit, scope: 'of an application' });
}
