import { failNotFound } from '@parley/domain/problems';
import type { ActivateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import { beginVerification } from '../sql/webhook-verification.ts';
import { keyOf } from '../webhook/key.ts';
import { changeOnce } from '../webhook/change-once.ts';
import type { RpcContext } from './rpc-context.ts';

/** Begins a verification, which activates the webhook when it passes. Problems: not_found. */
export async function activateWebhook(ctx: RpcContext, req: ActivateWebhookRequest) {
  const verification = { ...keyOf(req), verificationId: ctx.newId(), now: ctx.clock.now() };
  const webhook = await changeOnce(
    ctx,
    'activate webhook',
    async (tx) => (await beginVerification(tx, verification)) ?? failNotFound('webhook', req.id),
  );
  ctx.verifier.wake();
  return { webhook };
}
