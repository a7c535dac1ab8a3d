import { firstPositionOf, lastPositionOf } from './bitmap.ts';
import {
  isDeleted,
  NO_EXCLUSIONS,
  significanceOf,
  type Exclusions,
  type Significance,
} from './exclusions.ts';
import {
  setCountedBit,
  has,
  isDelivered,
  isHidden,
  isKnown,
  isRead,
  setBit,
  raiseRead,
  type Progress,
} from './progress.ts';
import { clip, contains, indexFrom, type Range } from './ranges.ts';

/** The conversation's last position, and which positions beyond the read watermark are low or deleted. */
export type ConversationPositions = { head: number; exclusions: Exclusions };

/** The participant sent the message at `position`, the first one after the head. */
export function markSent(progress: Progress, { position, low }: { position: number; low: boolean }): void {
  if (progress.row.read_until === position - 1) {
    raiseRead(progress, position, NO_EXCLUSIONS);
  } else {
    setCountedBit(progress, 'read', { position, significance: significanceOfSent(low) });
  }
}

/**
 * A message that is hidden from the participant, who blocks its sender, arrives at `position`, the first one after the
 * head.
 */
export function markHiddenOnArrival(
  progress: Progress,
  { position, low }: { position: number; low: boolean },
): void {
  const { row } = progress;
  if (row.read_until === position - 1) raiseRead(progress, position, NO_EXCLUSIONS);
  setCountedBit(progress, 'hidden', { position, significance: significanceOfSent(low) });
  row.hidden_count += 1;
  // The message does not bring a hidden conversation back into the list.
  if (row.unlisted_at !== null && row.unlisted_at >= position - 1) row.unlisted_at = position;
}

/**
 * Records that, for the participant, the message at `position`, the first one after the head, has the opposite of the significance that `low` gives.
 */
export function markException(
  progress: Progress,
  { position, low }: { position: number; low: boolean },
): void {
  setCountedBit(progress, 'contrary', { position, significance: significanceOfSent(low) });
}

function significanceOfSent(low: boolean): Significance {
  return low ? 'low' : 'normal';
}

/** False when nothing changes: the message is read already, or was sent while the user did not take part. */
export function markRead(progress: Progress, position: number, positions: ConversationPositions): boolean {
  const { exclusions } = positions;
  if (!contains(progress.member, position) || isRead(progress, position)) return false;
  if (progress.row.read_until === position - 1) raiseRead(progress, position, exclusions);
  else setCountedBit(progress, 'read', { position, significance: significanceOf(exclusions, position) });
  advanceRead(progress, positions);
  return true;
}

/** False when nothing changes. A read message is delivered, too. */
export function markDelivered(
  progress: Progress,
  position: number,
  positions: ConversationPositions,
): boolean {
  const { row } = progress;
  if (!contains(progress.member, position) || isDelivered(progress, position)) return false;
  const until = Math.max(row.delivered_until, row.read_until);
  if (until === position - 1) row.delivered_until = position;
  else setBit(progress, 'delivered', position);
  progress.changed = true;
  advanceDelivered(progress, positions);
  return true;
}

/** Hides a message that the participant sees. False when it is hidden already. */
export function markHidden(progress: Progress, position: number, exclusions: Exclusions): boolean {
  if (isHidden(progress, position)) return false;
  // Keeps the status from before in bits, since a watermark says nothing about hidden messages.
  if (isRead(progress, position)) setBit(progress, 'read', position);
  else if (isDelivered(progress, position)) setBit(progress, 'delivered', position);
  setCountedBit(progress, 'hidden', { position, significance: significanceOf(exclusions, position) });
  progress.row.hidden_count += 1;
  return true;
}

/**
 * Reads everything up to `position`, and returns the ranges that were unread. All bitmaps beyond the watermark must be
 * loaded.
 */
export function markReadUpTo(
  progress: Progress,
  position: number,
  positions: ConversationPositions,
): Range[] {
  if (position <= progress.row.read_until) return [];
  const within = { first: progress.row.read_until + 1, last: position };
  const { exclusions } = positions;
  const newlyRead = listUnmarked(progress, { exclusions, within }, (at) =>
    isPassed(progress, exclusions, at),
  );
  raiseRead(progress, position, positions.exclusions);
  advanceRead(progress, positions);
  return newlyRead;
}

/**
 * Delivers everything up to `position`, and returns the ranges that were neither delivered nor read; nothing changes
 * without any. All bitmaps beyond the read watermark must be loaded.
 */
export function markDeliveredUpTo(
  progress: Progress,
  position: number,
  positions: ConversationPositions,
): Range[] {
  const { row } = progress;
  const within = { first: Math.max(row.delivered_until, row.read_until) + 1, last: position };
  if (within.last < within.first) return [];
  const { exclusions } = positions;
  const isSettled = (at: number): boolean =>
    has(progress, 'delivered', at) || isPassed(progress, exclusions, at);
  const newlyDelivered = listUnmarked(progress, { exclusions, within }, isSettled);
  if (newlyDelivered.length === 0) return [];
  row.delivered_until = position;
  progress.changed = true;
  advanceDelivered(progress, positions);
  return newlyDelivered;
}

// The watermarks pass positions that are read, hidden, deleted, or sent while the user did not take part. They never
// pass an unread message, even one of low significance: its status would be wrong.
function advanceRead(progress: Progress, { head, exclusions }: ConversationPositions): void {
  const settled = (position: number): boolean =>
    isKnown(progress, position) && isPassed(progress, exclusions, position);
  const to = advance(progress, { from: progress.row.read_until, head, settled });
  if (to > progress.row.read_until) raiseRead(progress, to, exclusions);
}

function advanceDelivered(progress: Progress, { head, exclusions }: ConversationPositions): void {
  const { row } = progress;
  const settled = (position: number): boolean =>
    isKnown(progress, position) &&
    (isDelivered(progress, position) || has(progress, 'hidden', position) || isDeleted(exclusions, position));
  const from = Math.max(row.delivered_until, row.read_until);
  const to = advance(progress, { from, head, settled });
  if (to > from) row.delivered_until = to;
}

function advance(
  { member }: Progress,
  { from, head, settled }: { from: number; head: number; settled: (position: number) => boolean },
): number {
  let until = from;
  let range: Range | undefined;
  while (until < head) {
    const next = until + 1;
    if (!range || range.last < next) range = member[indexFrom(member, next)];
    if (!range) return until;
    if (range.first > next) until = Math.min(head, range.first - 1);
    else if (settled(next)) until = next;
    else return until;
  }
  return until;
}

// Both the member ranges and the bitmaps ascend: a long history costs one step for each of both, not for each pair.
function listUnmarked(
  progress: Progress,
  { exclusions, within }: { exclusions: Exclusions; within: Range },
  isMarked: (position: number) => boolean,
): Range[] {
  const numbers = numbersWithin(progress, exclusions, within);
  const unmarked: Range[] = [];
  let index = 0;
  for (const { first, last } of clip(progress.member, within)) {
    while (index < numbers.length && lastPositionOf(numbers[index]!) < first) index++;
    let from = first;
    // A bitmap may reach into the next range, so the index stays.
    for (let at = index; at < numbers.length && firstPositionOf(numbers[at]!) <= last; at++) {
      const end = Math.min(last, lastPositionOf(numbers[at]!));
      for (let position = Math.max(first, firstPositionOf(numbers[at]!)); position <= end; position++) {
        if (!isMarked(position)) continue;
        if (position > from) unmarked.push({ first: from, last: position - 1 });
        from = position + 1;
      }
    }
    if (from <= last) unmarked.push({ first: from, last });
  }
  return unmarked;
}

/** The numbers of all bitmaps that say something about these positions, in order. */
function numbersWithin(progress: Progress, exclusions: Exclusions, { first, last }: Range): number[] {
  return [...new Set([...progress.bitmaps.keys(), ...exclusions.keys()])]
    .filter((number) => firstPositionOf(number) <= last && lastPositionOf(number) >= first)
    .sort((a, b) => a - b);
}

function isPassed(progress: Progress, exclusions: Exclusions, position: number): boolean {
  return (
    has(progress, 'read', position) || has(progress, 'hidden', position) || isDeleted(exclusions, position)
  );
}
