import { fail, tooManyAtOnce } from '@parley/domain/problems';
import { fairShare } from '@parley/kit/flow/limits/fair-share';

/** The application and user that upload; userId null: the application's own server. */
export type Uploader = { appId: string; userId: string | null };

/** Concurrency limiter of uploads, each of which takes memory: no application gets all of the capacity. */
export type TransferLimiter = {
  readonly active: number;
  run<T>(uploader: Uploader, work: () => Promise<T>): Promise<T>;
};

/** The part of the capacity that one user may take. */
const USER_SHARE = 1 / 4;

/**
 * An application takes at most half of the capacity that other applications leave. Problems: service_unavailable;
 * rate_limit_exceeded for an application or a user whose share is full.
 */
export function createTransferLimiter(max: number): TransferLimiter {
  const activeByKey = new Map<string, number>();
  const maxOfUser = Math.max(1, Math.floor(max * USER_SHARE));
  const activeOf = (key: string): number => activeByKey.get(key) ?? 0;
  let active = 0;

  function change(keys: readonly string[], by: 1 | -1): void {
    active += by;
    for (const key of keys) {
      const count = activeOf(key) + by;
      if (count > 0) activeByKey.set(key, count);
      else activeByKey.delete(key);
    }
  }

  return {
    get active() {
      return active;
    },
    async run({ appId, userId }, work) {
      if (active >= max) fail('service_unavailable', { retryAfterSeconds: 2 });
      const user = userId === null ? undefined : `${appId}/${userId}`;
      const isUserFull = user !== undefined && activeOf(user) >= maxOfUser;
      if (isUserFull || fairShare(max - active, activeOf(appId)) < 1) throw tooManyAtOnce();
      const keys = user === undefined ? [appId] : [appId, user];
      change(keys, 1);
      try {
        return await work();
      } finally {
        change(keys, -1);
      }
    },
  };
}
