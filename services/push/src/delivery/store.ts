import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@parley/kit/runtime/telemetry/log';

const RETRY_MS = 1000;

/**
 * Repeats the storing of a result until it succeeds or the process stops: the answer of a push service must not be lost, and until the
 * database stores it the worker keeps the delivery. Never rejects.
 */
export async function storeUntilStopped(
  { log, signal }: { log: Logger; signal: AbortSignal },
  { appId, id: deliveryId }: { appId: string; id: string },
  store: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      log.warn({ error, appId, deliveryId }, 'failed to store result of push; will retry');
    }
    if (signal.aborted) return;
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}
