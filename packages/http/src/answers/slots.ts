import { newId } from '@parley/domain/ids';
import { errorOf, problem } from '@parley/domain/problems';
import { createConcurrency } from '@parley/kit/flow/limits/concurrency';

/** Gives a slot back; may be called more than once. */
export type ReleaseSlot = () => void;

/** Limits the responses in the memory of this process, fairly among applications and their users. */
export type ResponseSlots = {
  /** Takes a slot for the first chunk of a list, until it is written. Problems: service_unavailable. */
  first(appId: string, userId: string): Promise<ReleaseSlot>;
  /** Takes a slot for a response that is long or has further chunks, until the client has read all of it. Problems: service_unavailable. */
  large(appId: string, userId: string): Promise<ReleaseSlot>;
};

/**
 * A chunk holds the budget of bytes or a single largest object, in the worst case 2 MiB, and takes about three times that
 * while it is rendered. How many lists a user or an application may ask for at once is limited elsewhere.
 */
const FIRST = [
  { running: 96, waiting: 10_000, guaranteed: 20 },
  { running: 96, waiting: 2_000, fair: true as const },
  { running: 48, waiting: 1_000 },
];
const LARGE = [
  { running: 24, waiting: 2_000, guaranteed: 20 },
  { running: 24, waiting: 500, fair: true as const },
  { running: 6, waiting: 100 },
];
const FIRST_WAIT_MS = 2_000;
const LARGE_WAIT_MS = 4_000;

export function createResponseSlots(): ResponseSlots {
  const first = createConcurrency({ levels: FIRST, waitMs: FIRST_WAIT_MS, refusal });
  const large = createConcurrency({ levels: LARGE, waitMs: LARGE_WAIT_MS, refusal });
  return {
    first: (appId, userId) => first.enter(pathOf(appId, userId)),
    large: (appId, userId) => large.enter(pathOf(appId, userId)),
  };
}

/** A request of an application's server counts for the application alone. */
function pathOf(appId: string, userId: string): string[] {
  return ['all', appId, userId || newId()];
}

function refusal(): Error {
  return errorOf(problem('service_unavailable', { retryAfterSeconds: 2 }));
}
