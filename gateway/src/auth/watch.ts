/** Whose session it is; kept for as long as something rests on it, such as a socket. */
export type SessionCaller = {
  appId: string;
  userId: string;
  sessionId: string;
  /** Of the user; undefined: identity does not say. */
  incarnation?: number | undefined;
  /** 0: never. */
  expiresAt: number;
  tokenHash: Uint8Array;
};

/** Told when sessions may have ended; it asks `isRevoked` for each that it keeps, and must be ready to be told again. */
export type RevocationListener = (isRevoked: IsRevoked) => void;

export type IsRevoked = (caller: SessionCaller) => boolean;

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
