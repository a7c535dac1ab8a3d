import { detach } from '@parley/kit/runtime/request-context';
import { fail } from '@parley/domain/problems';
import type { Revocations } from './revocations.ts';

type Options = {
  revocations: Pick<Revocations, 'isFresh' | 'learn'>;
  /** Resolves when sessions that may have ended were looked up; false: at least one could not be. */
  verified(): Promise<boolean>;
};

/**
 * Undefined: what was revoked until now is known and applied. Otherwise the result resolves when it is; all who ask meanwhile get the same
 * promise, so they go on in their order. Problems: service_unavailable.
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
