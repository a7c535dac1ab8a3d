import { parseWebhook } from '@parley/domain/parse/webhook';
import type { CreateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { sealSecrets } from '../secrets.ts';
import { insertWebhook } from '../sql/webhook.ts';
import type { Verifier } from '../verifier.ts';
import { changeOnce } from './perform.ts';

export async function createWebhook(ctx: Context, verifier: Verifier, req: CreateWebhookRequest) {
  const { secret, ...draft } = parseWebhook(ctx.wire, req.properties ?? {}, ctx.config);
  const id = ctx.newId();
  const webhook = await changeOnce(ctx, 'create webhook', (tx) =>
    insertWebhook(tx, {
      ...draft,
      appId: req.appId,
      id,
      secrets: sealSecrets(ctx.sealer, id, { current: secret, previous: [] }),
      createdAt: ctx.clock.now(),
      verificationId: ctx.newId(),
    }),
  );
  verifier.wake();
  return { webhook };
}
