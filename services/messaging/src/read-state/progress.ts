import { noBits, hasBit, isEmpty, withBit } from '@parley/domain/bits';
import { bitOf, bitmapOf, firstPositionOf, lastPositionOf } from './bitmap.ts';
import { significanceOf, type Exclusions, type Significance } from './exclusions.ts';
import { clip, contains, merge, parseRanges, pastRange, type Range } from './ranges.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import type { SeenPart } from '../sql/message/shadowed.ts';

/**
 * Deviations from the watermarks. `contrary`: exceptions of significance, low for this participant where it is normal
 * for the rest, and the reverse.
 */
export type ProgressBitmaps = {
  read: Uint8Array;
  delivered: Uint8Array;
  hidden: Uint8Array;
  contrary: Uint8Array;
};

/**
 * One participant's progress: the row with its watermarks and counts, and the bitmaps that were loaded. It is changed
 * in place: `changed` and `changedBitmaps` say what must be written, `droppedBitmaps` what must be deleted.
 */
export type Progress = {
  row: ParticipantRow;
  member: Range[];
  /** Positions of the history that the participant does not see. None of them is hidden by a bitmap. */
  unseen: Range[];
  bitmaps: Map<number, ProgressBitmaps>;
  /** Numbers of the bitmaps that were read; a known one that is not in `bitmaps` is empty. */
  known: Range[];
  changed: boolean;
  changedBitmaps: Set<number>;
  droppedBitmaps: Set<number>;
};

export function createProgress(
  row: ParticipantRow,
  bitmaps: Map<number, ProgressBitmaps>,
  known: Range[],
): Progress {
  const member = parseRanges(row.member);
  return {
    row,
    member,
    unseen: parseRanges(row.unseen ?? ''),
    bitmaps,
    known: merge(known),
    changed: false,
    changedBitmaps: new Set(),
    droppedBitmaps: new Set(),
  };
}

/** Positions up to here never count as unread again. */
export function floorOf({ row }: Progress): number {
  return Math.max(row.read_until, row.hidden_until);
}

/** The last position that the user may see: the head when they were removed, or else the present head. */
export function limitOf({ row }: Progress, head: number): number {
  return row.left_head ?? head;
}

/** The part of a conversation that a participant sees, but for messages that they hid one by one. */
export function seenPart(
  { conversation_id: conversationId, hidden_until: after, left_head, unseen = null }: ParticipantRow,
  head: number,
): SeenPart {
  return { conversationId, after, until: left_head ?? head, unseen };
}

/** A message that was hidden before it was read stays unread, even when the watermark passes it. */
export function isRead(progress: Progress, position: number): boolean {
  if (has(progress, 'read', position)) return true;
  return position <= progress.row.read_until && !has(progress, 'hidden', position);
}

/** A read message is delivered. */
export function isDelivered(progress: Progress, position: number): boolean {
  if (has(progress, 'delivered', position) || isRead(progress, position)) return true;
  return position <= progress.row.delivered_until && !has(progress, 'hidden', position);
}

export function isHidden(progress: Progress, position: number): boolean {
  if (position <= progress.row.hidden_until || has(progress, 'hidden', position)) return true;
  return contains(progress.unseen, position);
}

/** The position behind all those at the beginning that the participant does not see. */
export function firstSeenOf({ row, unseen }: Progress): number {
  return pastRange(unseen, row.hidden_until + 1);
}

export function has(progress: Progress, kind: keyof ProgressBitmaps, position: number): boolean {
  const bits = progress.bitmaps.get(bitmapOf(position));
  return bits !== undefined && hasBit(bits[kind], bitOf(position));
}

export function isKnown(progress: Progress, position: number): boolean {
  return contains(progress.known, bitmapOf(position));
}

export function setBit(progress: Progress, kind: keyof ProgressBitmaps, position: number): void {
  const number = bitmapOf(position);
  const bits = progress.bitmaps.get(number) ?? {
    read: noBits(),
    delivered: noBits(),
    hidden: noBits(),
    contrary: noBits(),
  };
  progress.bitmaps.set(number, { ...bits, [kind]: withBit(bits[kind], bitOf(position)) });
  progress.changedBitmaps.add(number);
  progress.droppedBitmaps.delete(number);
}

/**
 * The number that a position beyond the floor adds to `covered_count`: 1 when the participant's bitmaps take it out of the unread
 * count, -1 when they count it although the conversation's bitmaps do not.
 */
function coveredBy(progress: Progress, position: number, significance: Significance): -1 | 0 | 1 {
  if (significance === 'deleted') return 0;
  const isDone = has(progress, 'read', position) || has(progress, 'hidden', position);
  const isException = has(progress, 'contrary', position);
  if (significance === 'low') return isException && !isDone ? -1 : 0;
  return isDone || isException ? 1 : 0;
}

/** Sets a bit, and adjusts the participant's count for it. */
export function setCountedBit(
  progress: Progress,
  kind: 'read' | 'hidden' | 'contrary',
  { position, significance }: { position: number; significance: Significance },
): void {
  const before = coveredBy(progress, position, significance);
  setBit(progress, kind, position);
  if (position > floorOf(progress) && contains(progress.member, position)) {
    progress.row.covered_count += coveredBy(progress, position, significance) - before;
  }
  progress.changed = true;
}

/** Raises the read watermark. Positions that it passes leave `covered_count`. */
export function raiseRead(progress: Progress, to: number, exclusions: Exclusions): void {
  const before = floorOf(progress);
  progress.row.read_until = to;
  progress.row.covered_count -= countCovered(progress, exclusions, {
    first: before + 1,
    last: floorOf(progress),
  });
  progress.changed = true;
  dropPassedBitmaps(progress);
}

function countCovered(progress: Progress, exclusions: Exclusions, { first, last }: Range): number {
  let count = 0;
  for (const number of progress.bitmaps.keys()) {
    const block = {
      first: Math.max(first, firstPositionOf(number)),
      last: Math.min(last, lastPositionOf(number)),
    };
    if (block.first > block.last) continue;
    for (const part of clip(progress.member, block)) {
      for (let position = part.first; position <= part.last; position++)
        count += coveredBy(progress, position, significanceOf(exclusions, position));
    }
  }
  return count;
}

// A bitmap that the read watermark has passed is needed only for its hidden positions.
function dropPassedBitmaps({ bitmaps, changedBitmaps, droppedBitmaps, row }: Progress): void {
  for (const [number, bits] of bitmaps) {
    if (lastPositionOf(number) > row.read_until || !isEmpty(bits.hidden)) continue;
    bitmaps.delete(number);
    changedBitmaps.delete(number);
    droppedBitmaps.add(number);
  }
}
