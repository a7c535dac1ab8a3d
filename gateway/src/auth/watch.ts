import type { RevocationListener, SessionCaller } from './sessions.ts';

/** Sessions that something is about to rest on, which does not listen for their end yet. */
export type Watch = {
  add(caller: SessionCaller): void;
  hasEnded(caller: SessionCaller): boolean;
  readonly listener: RevocationListener;
  /** Lets go of those that were there at the last call already. */
  forgetOlder(): void;
};

export function createWatch(): Watch {
  let recent = new Set<SessionCaller>();
  let older = new Set<SessionCaller>();
  const ended = new WeakSet<SessionCaller>();
  return {
    add: (caller) => void recent.add(caller),
    hasEnded: (caller) => ended.has(caller),
    listener(isRevoked) {
      for (const callers of [recent, older]) {
        for (const caller of callers) if (isRevoked(caller)) ended.add(caller);
      }
    },
    forgetOlder() {
      older = recent;
      recent = new Set();
    },
  };
}
