import type { Move } from '@parley/kit/postgres/cells/moves';
import type { SurveyedCell, SurveyedNode } from '@parley/kit/postgres/cells/survey';

/** A move as it crosses to the administration API. */
export function describeMove(move: Move) {
  const { cell, source, target, state, phase, error, requestedAt, finishedAt } = move;
  return {
    cell,
    source,
    target,
    state,
    phase,
    error,
    requestedAt,
    finishedAt,
    copiedByteCount: move.copiedBytes,
    totalByteCount: move.totalBytes,
    lagByteCount: move.lagBytes,
    attemptCount: move.attempts,
  };
}

/** `counts` of applications by cell, and in how many cells identity places new ones; undefined: it does not answer. */
export type Placed = { counts: readonly number[]; openCount: number } | undefined;

export function describeCell({ name, node, bytes, state }: SurveyedCell, placed: Placed) {
  const index = name === 'public' ? 0 : Number(name.slice(1));
  return {
    name,
    node,
    ...(bytes !== undefined && { byteCount: bytes }),
    ...(placed && { appCount: placed.counts[index] ?? 0 }),
    state: state === 'used' ? openness(index, placed) : state,
  };
}

function openness(index: number, placed: Placed): string {
  return placed && index >= placed.openCount ? 'closed' : 'open';
}

export function describeNode({
  name,
  isCoordinator,
  takesCells,
  isReachable,
  bytes,
  cellCount,
}: SurveyedNode) {
  const size = bytes === undefined ? {} : { byteCount: bytes };
  return Object.assign({ address: name, isCoordinator, takesCells, isReachable, cellCount }, size);
}
