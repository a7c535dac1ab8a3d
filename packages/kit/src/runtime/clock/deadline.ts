import { startTimeout } from './index.ts';

/** A time limit. `end`: by `performance.now()`. `fn` is cleared when the limit is cancelled. */
type Deadline = { readonly end: number; fn: (() => void) | undefined };

/** A longer timer would fire at once. Milliseconds. */
const LONGEST_MS = 2_147_483_647;

const deadlines = new Set<Deadline>();
let cancelTimer: (() => void) | undefined;
/** When the timer fires: at the end of the first deadline, or earlier if that deadline was cancelled. */
let firesAt = Infinity;

/**
 * Calls `fn` once, `ms` from now, outside the current request, unless the returned function is called before. Behaves like `startTimeout`,
 * but is meant for time limits that are nearly always cancelled: all of a process share one timer, which may fire without effect.
 */
export function startDeadline(ms: number, fn: () => void): () => void {
  const deadline: Deadline = { end: performance.now() + ms, fn };
  deadlines.add(deadline);
  if (deadline.end < firesAt) arm(deadline.end);
  return () => {
    deadline.fn = undefined;
    deadlines.delete(deadline);
  };
}

function arm(end: number): void {
  cancelTimer?.();
  firesAt = end;
  cancelTimer = startTimeout(Math.min(Math.ceil(end - performance.now()), LONGEST_MS), fire);
}

function fire(): void {
  firesAt = Infinity;
  const now = performance.now();
  try {
    for (const deadline of deadlines) if (deadline.end <= now) end(deadline);
  } finally {
    // Runs even after an error, so that later deadlines are not forgotten.
    let next = Infinity;
    for (const deadline of deadlines) if (deadline.end < next) next = deadline.end;
    if (next < firesAt) arm(next);
  }
}

function end(deadline: Deadline): void {
  const { fn } = deadline;
  deadline.fn = undefined;
  deadlines.delete(deadline);
  fn?.();
}
