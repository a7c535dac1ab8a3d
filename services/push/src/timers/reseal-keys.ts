import { contextOf } from '../credentials/store.ts';
import type { Context } from '../context.ts';
import { listSealedOtherwise, replaceSealed, type SealedRow } from '../sql/sealed.ts';

const PAGE_SIZE = 100;

/** Seals with the present key what another one sealed, so that the other one can be given up. */
export async function resealKeys(ctx: Context, signal: AbortSignal): Promise<void> {
  const counts = { resealed: 0, unreadable: 0 };
  let last: SealedRow | undefined;
  do {
    const page = await listSealedOtherwise(ctx.db, {
      keyId: ctx.keyRing.currentId,
      after: last,
      limit: PAGE_SIZE,
    });
    for (const row of page) counts[await reseal(ctx, row)]++;
    last = page.at(-1);
  } while (last && !signal.aborted);
  const { resealed, unreadable } = counts;
  if (resealed > 0) ctx.log.info({ resealed }, 'sealed keys of applications with the present key');
  if (unreadable > 0)
    ctx.log.error({ unreadable }, 'keys of applications are sealed with a key that is not configured');
}

async function reseal({ db, keyRing }: Context, row: SealedRow): Promise<'resealed' | 'unreadable'> {
  const { app_id: appId, provider, sealed, sealed_with: keyId } = row;
  const context = provider === '' ? appId : contextOf(appId, provider);
  let text: string;
  try {
    text = keyRing.open({ keyId, sealed }, context);
  } catch {
    return 'unreadable';
  }
  await replaceSealed(db, row, keyRing.seal(text, context));
  return 'resealed';
}
