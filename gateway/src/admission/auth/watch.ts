/** The user and the session of a socket. */
export type SessionCaller = {
  appId: string;
  userId: string;
  sessionId: string;
  /** The user's incarnation; undefined: identity does not say. */
  incarnation?: number | undefined;
  /** 0: never. */
  expiresAt: number;
  tokenHash: Uint8Array;
};

/** Called when sessions may have ended; asks `isRevoked` about each session it keeps. May be called twice for one revocation. */
export type RevocationListener = (isRevoked: IsRevoked) => void;

export type IsRevoked = (caller: SessionCaller) => boolean;

/** Sessions whose sockets are being opened and do not listen for the session's end yet. */
export type Watch = {
  add(caller: SessionCaller): void;
  hasEnded(caller: SessionCaller): boolean;
  readonly listener: RevocationListener;
  /** Forgets the sessions that were added before the previous call. */
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
