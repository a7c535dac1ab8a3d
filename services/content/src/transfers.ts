import { fail, tooManyAtOnce } from '@parley/domain/problems';

/** Who uploads; userId null: the application's own server. */
export type Uploader = { appId: string; userId: string | null };

/** Each transfer takes memory, so only so many are let in at a time, and no application takes all the places. */
export type Transfers = {
  readonly active: number;
  run<T>(uploader: Uploader, work: () => Promise<T>): Promise<T>;
};

/** What one application, and one of its users, may take of all places. */
const APP_SHARE = 1 / 2;
const USER_SHARE = 1 / 4;

/** Problems: service_unavailable; rate_limit_exceeded for an application or a user with a full share. */
export function createTransfers(max: number): Transfers {
  const taken = new Map<string, number>();
  const shareOf = (share: number): number => Math.max(1, Math.floor(max * share));
  let active = 0;

  function change(keys: readonly string[], by: 1 | -1): void {
    active += by;
    for (const key of keys) {
      const count = (taken.get(key) ?? 0) + by;
      if (count > 0) taken.set(key, count);
      else taken.delete(key);
    }
  }

  return {
    get active() {
      return active;
    },
    async run({ appId, userId }, work) {
      if (active >= max) fail('service_unavailable', { retryAfterSeconds: 2 });
      const places = [{ key: appId, most: shareOf(APP_SHARE) }];
      if (userId !== null) places.push({ key: `${appId}/${userId}`, most: shareOf(USER_SHARE) });
      if (places.some(({ key, most }) => (taken.get(key) ?? 0) >= most)) throw tooManyAtOnce();
      const keys = places.map(({ key }) => key);
      change(keys, 1);
      try {
        return await work();
      } finally {
        change(keys, -1);
      }
    },
  };
}
