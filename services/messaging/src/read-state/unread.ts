import { countDeleted, countExcluded, type Exclusions } from './exclusions.ts';
import { floorOf, limitOf, type Progress } from './progress.ts';
import { countWithin, without } from './ranges.ts';

type Counts = { head: number; deleted_count: number };

/**
 * `exclusions` must reach back to the floor. 0 for a former participant, whose receipts are refused; when they come back, the
 * messages that are still unread count again.
 */
export function unreadCount(progress: Progress, head: number, exclusions: Exclusions): number {
  if (progress.row.left_seq !== null) return 0;
  const within = { first: floorOf(progress) + 1, last: head };
  const sent = countWithin(progress.member, within.first, within.last);
  return sent - countExcluded(exclusions, progress.member, within) - progress.row.covered_count;
}

/** The number of messages that the participant sees; `exclusions` must reach back to `firstSeenOf`. */
export function visibleCount(progress: Progress, counts: Counts, exclusions: Exclusions): number {
  const { hidden_until, hidden_count } = progress.row;
  const limit = limitOf(progress, counts.head);
  if (limit <= hidden_until) return 0;
  const within = { first: hidden_until + 1, last: limit };
  const whole = limit === counts.head && hidden_until === 0 && progress.unseen.length === 0;
  const seen = without(progress.unseen, within);
  const deleted = whole ? counts.deleted_count : countDeleted(exclusions, seen, within);
  return countWithin(seen, within.first, limit) - deleted - hidden_count;
}
