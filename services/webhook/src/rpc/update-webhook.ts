import { parseWebhookChanges } from '@parley/domain/parse/webhook';
import { failNotFound } from '@parley/domain/problems';
import type { UpdateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import { sealSecrets } from '../webhook/secrets.ts';
import { beginVerification } from '../sql/webhook-verification.ts';
import * as webhooks from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';
import type { RpcContext } from './rpc-context.ts';

/**
 * A secret that is set here replaces the previous one at once; RotateSecret leaves time to move. A new target has to be
 * verified. Problems: not_found, invalid_property.
 */
export async function updateWebhook(ctx: RpcContext, req: UpdateWebhookRequest) {
  const key = keyOf(req);
  const changes = parseWebhookChanges(req.properties ?? {}, ctx.config);
  const webhook = await ctx.db.tx(async (tx) => {
    const before = (await webhooks.lockWebhook(tx, key)) ?? failNotFound('webhook', req.id);
    const { targetUrl, events, config } = before.webhook;
    const { secret } = changes;
    const updated = await webhooks.updateWebhook(tx, key, {
      targetUrl: changes.targetUrl ?? targetUrl,
      events: changes.events ?? events,
      config: changes.config === undefined ? config : (changes.config ?? undefined),
      secrets:
        secret === undefined
          ? before.secrets
          : sealSecrets(ctx.sealer, key.id, { current: secret, previous: [] }),
    });
    if (updated.targetUrl === targetUrl) return updated;
    const verification = { ...key, verificationId: ctx.newId(), now: ctx.clock.now() };
    tx.afterCommit(() => ctx.verifier.wake(), 'same');
    return (await beginVerification(tx, verification)) ?? failNotFound('webhook', req.id);
  });
  return { webhook };
}
