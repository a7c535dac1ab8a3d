import { detach } from '@parley/kit/runtime/request-context';
import { fail } from '@parley/domain/problems';
import type { Revocations } from './revocations.ts';

type Options = {
  revocations: Pick<Revocations, 'isFresh' | 'learn'>;
  /** Resolves with true when all sessions that may have ended have been looked up, and with false when a look-up failed. */
  verified(): Promise<boolean>;
};

/**
 * Returns undefined if all revocations until now are known and applied. Otherwise returns a promise that resolves when they are; callers
 * who ask meanwhile share that promise, so they continue in their order. Problems: service_unavailable.
 */
export function createConfirmation({ revocations, verified }: Options): () => Promise<void> | undefined {
  const runDetached = detach();
  let confirming: Promise<void> | undefined;

  async function learn(): Promise<void> {
    await revocations.learn();
    if (!(await verified()) || !revocations.isFresh()) fail('service_unavailable', { retryAfterSeconds: 1 });
  }

  return () => {
    if (!confirming && revocations.isFresh()) return undefined;
    if (!confirming) {
      confirming = runDetached(learn).finally(() => (confirming = undefined));
      // A caller that gives up does not await it.
      confirming.catch(() => undefined);
    }
    return confirming;
  };
}
