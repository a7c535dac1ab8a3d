import type { Tx } from '@parley/kit/postgres';
import { bitmapOf } from '../read-state/bitmap.ts';
import { loadProgress } from '../read-state/load-progress.ts';
import { markHidden } from '../read-state/mark-progress.ts';
import type { Progress } from '../read-state/progress.ts';
import { contains, type Range } from '../read-state/ranges.ts';
import { progressStatements } from '../read-state/save-progress.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { listMessagesOf, writeListPlaces, type BlockedSender } from '../sql/identity/withheld-on-join.ts';
import { write } from '../sql/statement.ts';
import { findNewestSeen, seerOf } from './newest-seen.ts';

/** The newest messages of a conversation that are looked at when users are added, and marks of all added users together. */
const MOST_MESSAGES = 10_000;
const LEAST_MESSAGES = 1_000;
const MOST_MARKS = 50_000;

/** Ranges of positions, by user id. */
export type PositionsOf = ReadonlyMap<string, readonly Range[]>;

/**
 * Withholds from users who have just been added what those whom they block sent while they were away, or before they first came: without
 * it a block would be passed by removing who blocks, and having someone else add them again. What they saw before stays. It looks at a bounded
 * number of the newest messages. `blocked`: as of before the memberships were opened; `within`: only what was sent there, for users who take part
 * already. docs/protocol/users.md#blocks
 */
export async function withholdOnJoin(
  tx: Tx,
  conversation: ConversationRow,
  blocked: readonly BlockedSender[],
  within?: PositionsOf,
): Promise<void> {
  const { app_id: appId, id: conversationId, head } = conversation;
  const place = { appId, conversationId };
  const wanted = await listWithheld(tx, conversation, { blocked, within });
  const progresses: Progress[] = [];
  for (const [userId, positions] of wanted) {
    const hasExclusions = conversation.excluded_count > 0;
    // One query for each bitmap loads all that are changed.
    const firsts = [...Map.groupBy(positions, bitmapOf).values()].map(([position = 0]) => position);
    const queries = firsts.map((position) => ({ ...place, userId, position, hasExclusions }));
    const [loaded] = await loadProgress(tx, queries);
    if (!loaded) continue;
    for (const position of positions) markHidden(loaded.progress, position, loaded.exclusions);
    progresses.push(loaded.progress);
  }
  if (progresses.length === 0) return;
  await write(tx, progressStatements(progresses));
  const seers = progresses.map(seerOf);
  const seen = await findNewestSeen(tx, { ...place, head }, seers);
  await writeListPlaces(tx, place, {
    head,
    seen: new Map([...seen].filter(([, position]) => position < head)),
  });
}

/** The positions that are withheld, by user id. */
async function listWithheld(
  tx: Tx,
  { app_id: appId, id: conversationId, head }: ConversationRow,
  { blocked, within }: { blocked: readonly BlockedSender[]; within: PositionsOf | undefined },
): Promise<Map<string, number[]>> {
  const byOwner = Map.groupBy(blocked, (row) => row.owner_user_id);
  if (byOwner.size === 0) return new Map();
  const most = Math.max(LEAST_MESSAGES, Math.min(MOST_MESSAGES, Math.floor(MOST_MARKS / byOwner.size)));
  const seenUntil = within ? 0 : Math.min(...blocked.map((row) => row.seen_until));
  const after = Math.max(head - most, seenUntil);
  const senderIds = [...new Set(blocked.map((row) => row.blocked_user_id))];
  const messages = await listMessagesOf(tx, { appId, conversationId }, { senderIds, after });
  const withheld = new Map<string, number[]>();
  for (const [owner, rows] of byOwner) {
    const senders = new Set(rows.map((row) => row.blocked_user_id));
    const seenUntil = rows[0]?.seen_until ?? 0;
    const isLooked = (position: number): boolean =>
      within ? contains(within.get(owner) ?? [], position) : position > seenUntil;
    const positions = messages
      .filter((row) => senders.has(row.sender_id) && isLooked(row.position))
      .map((row) => row.position);
    if (positions.length > 0) withheld.set(owner, positions);
  }
  return withheld;
}
