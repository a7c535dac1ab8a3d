import { limits } from '@parley/contract/limits';
import type { Tx } from '@parley/kit/postgres';
import { listNewestReactions, type ReactionCountRow } from '../sql/message/reaction-count.ts';
import type { ReactionRow } from '../sql/message/reaction.ts';
import { keyOfMessage, type LoadedReactions } from './load.ts';
import type { MessageReactions, PlannedChange } from './plan.ts';

/** The most names that one key of a batch may lose, with those that stay. */
const MOST_LOOKED_AT = 300;

/** Net effect of a transaction on the reactions to a message, which is written. */
export type NetChange = {
  inserted: ReactionRow[];
  deleted: ReactionRow[];
  /** The counts that changed, as they are afterwards; 0: the key is gone. */
  counts: ReactionCountRow[];
};

/** The net effect of what is planned for a message. */
export async function netChangeOf(
  tx: Tx,
  reactions: MessageReactions,
  { counts }: Pick<LoadedReactions, 'counts'>,
): Promise<NetChange> {
  const { changes } = reactions;
  const inserted = changes.filter((change) => !change.removed && !isEnded(changes, change)).map(toRow);
  const given = new Set(changes.filter(({ removed }) => !removed).map(({ row }) => row.id));
  const deleted = changes.filter(({ removed, row }) => removed && !given.has(row.id)).map(toRow);
  const replaced = new Set(inserted.map(keyOfRow));
  const stored = counts.get(keyOfMessage(reactions.place));
  const keys = [...new Set(changes.map(({ row }) => row.key))];
  const rows = keys.map((key) => countOf(reactions, key, { stored: stored?.get(key), inserted, deleted }));
  await refill(tx, rows, { inserted, deleted });
  return {
    inserted,
    deleted: deleted.filter((row) => !replaced.has(keyOfRow(row))),
    counts: rows,
  };
}

function toRow({ row }: PlannedChange): ReactionRow {
  return row;
}

/** Whether a later change takes the reaction back. */
function isEnded(changes: readonly PlannedChange[], { row }: PlannedChange): boolean {
  return changes.some((change) => change.removed && change.row.id === row.id);
}

function keyOfRow({ user_id, key }: ReactionRow): string {
  return JSON.stringify([user_id, key]);
}

type Effect = Pick<NetChange, 'inserted' | 'deleted'>;

function countOf(
  { place, counts }: MessageReactions,
  key: string,
  { stored, inserted, deleted }: Effect & { stored: ReactionCountRow | undefined },
): ReactionCountRow {
  const { app_id, conversation_id, position } = place;
  const gone = new Set(deleted.map(({ id }) => id));
  const before = (stored?.recent_ids ?? []).map((id, index) => ({
    id,
    user_id: stored?.recent[index] ?? '',
  }));
  const added = inserted.filter((row) => row.key === key);
  const newest = newestOf([...before.filter(({ id }) => !gone.has(id)), ...added]);
  return {
    app_id,
    conversation_id,
    position,
    key,
    first_id: stored?.first_id ?? added[0]?.id ?? '',
    count: counts.get(key) ?? 0,
    ...newest,
  };
}

type Named = { id: string; user_id: string };

function newestOf(named: readonly Named[]): Pick<ReactionCountRow, 'recent' | 'recent_ids'> {
  const newest = named
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limits.recentReactions);
  return { recent: newest.map(({ user_id }) => user_id), recent_ids: newest.map(({ id }) => id) };
}

/** Looks for further names where somebody who was named took the reaction back. */
async function refill(
  tx: Tx,
  rows: readonly ReactionCountRow[],
  { inserted, deleted }: Effect,
): Promise<void> {
  const lacking = rows.filter(({ count, recent }) => recent.length < Math.min(count, limits.recentReactions));
  if (lacking.length === 0) return;
  const found = await listNewestReactions(tx, lacking, MOST_LOOKED_AT);
  const gone = new Set(deleted.map(({ id }) => id));
  for (const row of lacking) {
    const stored = found.filter((one) => one.key === row.key && !gone.has(one.id));
    const added = inserted.filter((one) => one.key === row.key);
    Object.assign(row, newestOf([...stored, ...added]));
  }
}
