import { refuse } from '@parley/http/limits/limit';

/** Sockets that each user may have at this gateway. */
export type SocketSlots = {
  /** Takes a slot and returns a function that releases it, once. Problems: rate_limit_exceeded when the user has no slot left. */
  take(user: { appId: string; userId: string }): () => void;
};

/** Longer than closing takes: a client may reconnect before its old socket is closed. */
const RETRY_AFTER_SECONDS = 5;

/** Slots are taken before the handshake, so that simultaneous upgrades cannot exceed the limit. */
export function createSocketSlots(max: number): SocketSlots {
  const taken = new Map<string, number>();

  function release(key: string): void {
    const left = (taken.get(key) ?? 0) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
  }

  return {
    take({ appId, userId }) {
      const key = `${appId}/${userId}`;
      const count = taken.get(key) ?? 0;
      if (count >= max) refuse('sockets_per_user', RETRY_AFTER_SECONDS);
      taken.set(key, count + 1);
      let isHeld = true;
      return () => {
        if (isHeld) release(key);
        isHeld = false;
      };
    },
  };
}
