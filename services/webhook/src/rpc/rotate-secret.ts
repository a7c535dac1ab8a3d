import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { parseSecret } from '@parley/domain/parse/webhook';
import { failNotFound } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/durable/once';
import type { Tx } from '@parley/kit/postgres';
import { WebhookSchema, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { RotateSecretRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { newSecret, openSecrets, rotate, sealSecrets } from '../webhook/secrets.ts';
import { lockWebhook, updateWebhook, type WebhookKey } from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';

type Rotated = { webhook: Webhook; secret: string };

/** Replaces the secret; the previous one signs for another day. Problems: not_found, invalid_property. */
export function rotateSecret(ctx: Context, req: RotateSecretRequest): Promise<Rotated> {
  const key = keyOf(req);
  const secret = req.secret === undefined ? newSecret() : parseSecret(req.secret);
  return ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'rotate secret',
      run: () => replaceSecret(ctx, tx, { key, secret }),
      save: (rotated) => seal(ctx, key.id, rotated),
      load: (saved) => open(ctx, key.id, saved),
    }),
  );
}

async function replaceSecret(
  { sealer, clock }: Context,
  tx: Tx,
  { key, secret }: { key: WebhookKey; secret: string },
): Promise<Rotated> {
  const before = (await lockWebhook(tx, key)) ?? failNotFound('webhook', key.id);
  const opened = openSecrets(sealer, key.id, before.secrets);
  const secrets = sealSecrets(sealer, key.id, rotate(opened, secret, clock.now()));
  const fields = { ...before.webhook, config: before.webhook.config, secrets };
  return { webhook: await updateWebhook(tx, key, fields), secret };
}

function seal({ sealer }: Context, id: string, { webhook, secret }: Rotated): Uint8Array {
  return sealer.seal(JSON.stringify({ webhook: toJsonString(WebhookSchema, webhook), secret }), id);
}

function open({ sealer }: Context, id: string, saved: Uint8Array): Rotated {
  const { webhook, secret } = JSON.parse(sealer.open(saved, id)) as { webhook: string; secret: string };
  return { webhook: fromJsonString(WebhookSchema, webhook), secret };
}
