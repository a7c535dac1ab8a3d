import { parseSecret } from '@parley/domain/parse/webhook';
import { fail } from '@parley/domain/problems';
import type { RotateSecretRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { newSecret, openSecrets, rotate, sealSecrets } from '../secrets.ts';
import { lockWebhook, updateWebhook } from '../sql/webhook.ts';
import { keyOf } from './input.ts';

export async function rotateSecret(ctx: Context, req: RotateSecretRequest) {
  const key = keyOf(req);
  const secret = req.secret === undefined ? newSecret() : parseSecret(req.secret);
  const webhook = await ctx.db.tx(async (tx) => {
    const before = (await lockWebhook(tx, key)) ?? fail('not_found');
    const known = openSecrets(ctx.sealer, key.id, before.secrets);
    const secrets = sealSecrets(ctx.sealer, key.id, rotate(known, secret, ctx.clock.now()));
    return updateWebhook(tx, key, { ...before.webhook, config: before.webhook.config, secrets });
  });
  return { webhook, secret };
}
