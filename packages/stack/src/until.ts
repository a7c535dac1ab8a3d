import { setTimeout as delay } from 'node:timers/promises';

export type UntilOptions = {
  withinMs: number;
  everyMs?: number;
  what: string;
  given?: () => string | undefined;
};

/**
 * Repeats `attempt` until it returns something other than undefined; its errors mean "not yet". Fails after `withinMs`,
 * or at once when `given()` names a reason why it can never succeed.
 */
export async function until<T>(
  attempt: () => Promise<T | undefined> | T | undefined,
  options: UntilOptions,
): Promise<T> {
  const deadline = Date.now() + options.withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    const reason = options.given?.();
    if (reason) throw new Error(reason);
    if (Date.now() > deadline) {
      throw new Error(`not within ${options.withinMs} ms: ${options.what}`, { cause: last });
    }
    await delay(options.everyMs ?? 20);
  }
}
