import { setTimeout as delay } from 'node:timers/promises';

export type Pace = { everyMs: number; againMs: number; timeoutMs: number; failures: number };

/** A process that stands still for some seconds is not ended. */
const PACE: Pace = { everyMs: 5_000, againMs: 1_000, timeoutMs: 2_000, failures: 5 };

/** Resolves with the last failure when that many checks in a row have failed; with undefined once `signal` aborts. */
export async function untilUnhealthy(
  check: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  { everyMs, againMs, timeoutMs, failures }: Pace = PACE,
): Promise<Error | undefined> {
  let failed = 0;
  while (!signal.aborted) {
    await delay(failed > 0 ? againMs : everyMs, undefined, { signal }).catch(() => undefined);
    const failure = await check(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    failed = failure ? failed + 1 : 0;
    if (failure && failed === failures && !signal.aborted) return failure;
  }
  return undefined;
}
