import type { RequestKind } from '@parley/contract/api/operation';
import { tooManyAtOnce } from '@parley/domain/problems';
import { createConcurrency, type Concurrency, type Level } from '@parley/kit/flow/limits/concurrency';
import { refuse } from '@parley/http/limits/limit';
import type { ConcurrencyConfig } from './settings.ts';

type PerCaller = { perUser: number; perApp: number };

export type { RequestKind };

/** `userId` is empty for the application's server, to which only the application's limit applies. */
export type Caller = { appId: string; userId: string };
/** `tokenId`: id of the session or access token in the request. */
type Requester = Caller & { tokenId: string };

/** Requests beyond a limit wait for a while, and are then refused. Problems: rate_limit_exceeded. */
export type ConcurrencyLimiter = {
  run<T>(kind: RequestKind, caller: Requester, work: () => Promise<T>): Promise<T>;
  /** `socket`: any object that identifies the socket. A replay beyond the limit of its socket is refused at once. */
  replay<T>(socket: object, caller: Caller, work: () => Promise<T>): Promise<T>;
};

/** Shorter than a request's deadline of 5 s. Milliseconds. */
const WAIT_MS = 4_000;
/** Long, because after a restart all clients of an application replay at once. Milliseconds. */
const REPLAY_WAIT_MS = 15_000;
/** Numbers of requests that may wait. Waiting costs almost no memory, except that patches and announcements hold their bodies. */
const WAITING = {
  lists: { ofUser: 700, ofApp: 2_000 },
  patches: { ofUser: 64, ofApp: 256 },
  announcements: { ofUser: 32, ofApp: 32 },
  erasures: { ofUser: 32, ofApp: 32 },
  exports: { ofToken: 8, ofApp: 16 },
  replays: { ofUser: 16, ofApp: 2_000, all: 20_000, guaranteedOfApp: 20 },
};

export function createConcurrencyLimiter(config: ConcurrencyConfig): ConcurrencyLimiter {
  const { lists, patches, announcementsPerApp, erasuresPerApp, exports, replays } = config;
  const kinds: Record<RequestKind, Concurrency> = {
    list: create(WAIT_MS, groupsOf(lists, WAITING.lists)),
    patch: create(WAIT_MS, groupsOf(patches, WAITING.patches)),
    announcement: create(WAIT_MS, groupsOf(ofApp(announcementsPerApp), WAITING.announcements)),
    erasure: create(WAIT_MS, groupsOf(ofApp(erasuresPerApp), WAITING.erasures)),
    export: create(WAIT_MS, [
      { running: exports.perApp, waiting: WAITING.exports.ofApp },
      { running: exports.perToken, waiting: WAITING.exports.ofToken },
    ]),
  };
  const { all: waiting, guaranteedOfApp: guaranteed } = WAITING.replays;
  const all = { running: replays.all, waiting, guaranteed };
  const [replaysOfApp, replaysOfUser] = groupsOf(replays, WAITING.replays);
  // A replay may last for minutes, so an application takes at most half of the free places and leaves some for others.
  const replaying = create(REPLAY_WAIT_MS, [all, { ...replaysOfApp, fair: true }, replaysOfUser]);
  const ofSocket = new WeakMap<object, number>();
  return {
    // Only servers request exports, so the limit counts access tokens instead of users.
    run: (kind, { appId, userId, tokenId }, work) =>
      kinds[kind].run([appId, kind === 'export' ? tokenId : userId], work),
    async replay(socket, { appId, userId }, work) {
      const count = ofSocket.get(socket) ?? 0;
      if (count >= replays.perSocket) refuse('replays_per_socket', 1);
      ofSocket.set(socket, count + 1);
      try {
        return await replaying.run(['', appId, userId], work);
      } finally {
        ofSocket.set(socket, (ofSocket.get(socket) ?? 1) - 1);
      }
    },
  };
}

function create(waitMs: number, levels: Parameters<typeof createConcurrency>[0]['levels']): Concurrency {
  return createConcurrency({ levels, waitMs, refusal: tooManyAtOnce });
}

/** A limit for requests that only servers make. */
function ofApp(perApp: number): PerCaller {
  return { perUser: perApp, perApp };
}

function groupsOf(
  { perUser, perApp }: PerCaller,
  { ofUser, ofApp }: { ofUser: number; ofApp: number },
): [ofApp: Level, ofUser: Level] {
  return [
    { running: perApp, waiting: ofApp },
    { running: perUser, waiting: ofUser, exempt: '' },
  ];
}
