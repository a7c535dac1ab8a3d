import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  RepeatJournalRequest,
  RepeatJournalResponseSchema,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { ALL_DAYS, dayPrefix, decodeEntries, isKey, type JournalEntry } from '../../journal/entry.ts';
import { repeatAct } from '../../journal/repeat.ts';
import { findKnown, insertEntry } from '../../sql/journal-entry.ts';

const DAY_MS = 86_400_000;
/** Objects of one call. */
const PAGE = 4;

/** Repeats, in order, the acts in a few objects of the journal that this database has lost. Problems: invalid_property. */
export async function repeatJournal(
  ctx: Context,
  { since, after }: RepeatJournalRequest,
): RpcResponse<typeof RepeatJournalResponseSchema> {
  if (after !== '' && !isKey(after))
    return fail('invalid_property', { property: 'cursor', message: 'cursor is not that of an answer.' });
  const { store } = ctx.journal;
  if (!store) return { isMissing: true };
  // An object has the day of its oldest entry.
  const from = after === '' ? dayPrefix(Math.max(0, since - DAY_MS)) : after;
  const keys = await store.list({ prefix: ALL_DAYS, after: from, limit: PAGE });
  let repeatedCount = 0;
  let withoutObjectCount = 0;
  for (const key of keys) {
    const entries = decodeEntries(await store.get(key));
    const known = await findKnown(
      ctx.db,
      entries.map(({ id }) => id),
    );
    for (const entry of entries.filter(({ id }) => !known.has(id))) {
      if (await repeatEntry(ctx, entry)) repeatedCount += 1;
      else withoutObjectCount += 1;
    }
  }
  return { repeatedCount, withoutObjectCount, last: keys.length < PAGE ? '' : (keys.at(-1) ?? '') };
}

/** From now on, the row records that the act has been repeated. */
function repeatEntry(ctx: Context, entry: JournalEntry): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const isRepeated = await repeatAct(ctx, tx, entry.act);
    await insertEntry(tx, { ...entry, storedAt: ctx.clock.now() });
    return isRepeated;
  });
}
