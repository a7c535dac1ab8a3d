import type { Context } from '../context.ts';
import { listSealedOtherwise, replaceSecrets, type SealedSecrets } from '../sql/webhook-secrets.ts';
import { openSecrets, sealSecrets } from '../webhook/secrets.ts';

const PAGE_SIZE = 100;

/** Seals with the present key what another one sealed, so that the other one can be given up. */
export async function resealSecrets(ctx: Context, signal: AbortSignal): Promise<void> {
  const counts = { resealed: 0, unreadable: 0 };
  let last: SealedSecrets | undefined;
  do {
    const page = await listSealedOtherwise(ctx.db, { head: ctx.sealer.head, after: last, limit: PAGE_SIZE });
    for (const webhook of page) counts[await reseal(ctx, webhook)]++;
    last = page.at(-1);
  } while (last && !signal.aborted);
  const { resealed, unreadable } = counts;
  if (resealed > 0) ctx.log.info({ resealed }, 'sealed secrets of webhooks with the present key');
  if (unreadable > 0)
    ctx.log.error({ unreadable }, 'secrets of webhooks are sealed with a key that is not configured');
}

async function reseal({ db, sealer }: Context, webhook: SealedSecrets): Promise<'resealed' | 'unreadable'> {
  let secrets;
  try {
    secrets = openSecrets(sealer, webhook.id, webhook.secrets);
  } catch {
    return 'unreadable';
  }
  // Changed meanwhile: the change sealed it with the present key.
  await replaceSecrets(db, webhook, sealSecrets(sealer, webhook.id, secrets));
  return 'resealed';
}
