import { newId } from '@parley/domain/ids';
import type { Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/clock';
import type { Logger } from '@parley/kit/telemetry/log';
import { PresenceStatus, type PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';

type User = { appId: string; userId: string };
type Report = User & { connected?: boolean; status: PresenceStatus };

/** Says whose sockets this gateway holds, and what its users choose to appear as. */
export type PresenceReporter = {
  joined(user: User): void;
  /** The user has no socket here any more. */
  left(user: User): void;
  /** Resolves when it is recorded. */
  choose(user: User, status: PresenceStatus): Promise<void>;
  stop(): void;
};

type Options = { presences: Client<typeof PresenceService>; clock: Clock; log: Logger };

/** Who is back within this time was never away: a flapping connection costs nothing. */
const GRACE_MS = 2_000;
/** Reports wait this long for others: however many users come and go, there are ten calls a second. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;
const SIGN_OF_LIFE_MS = 3_000;
const MOST_IN_CALL = 2_000;

function keyOf({ appId, userId }: User): string {
  return `${appId}/${userId}`;
}

export function createPresenceReporter({ presences, clock, log }: Options): PresenceReporter {
  const gatewayId = newId();
  const held = new Map<string, User>();
  /** Users who went a moment ago; what cancels their being reported. */
  const going = new Map<string, () => void>();
  let due = new Map<string, Report>();
  /** By the user whose choice they wait for. */
  let waiting: { key: string; resolve(): void; reject(error: unknown): void }[] = [];
  let timer: { at: number; cancel(): void } | undefined;
  let isBusy = false;
  let isStopped = false;

  function put(user: User, change: { connected?: boolean; status?: PresenceStatus }): void {
    const key = keyOf(user);
    const status = change.status ?? due.get(key)?.status ?? PresenceStatus.UNSPECIFIED;
    due.set(key, { ...user, ...due.get(key), ...change, status });
    schedule(GATHER_MS);
  }

  function schedule(afterMs: number): void {
    const at = clock.now() + afterMs;
    if (isBusy || isStopped || (timer && timer.at <= at)) return;
    timer?.cancel();
    timer = { at, cancel: clock.setTimer(afterMs, () => void flush()) };
  }

  async function flush(): Promise<void> {
    const reports = new Map([...due.entries()].slice(0, MOST_IN_CALL));
    for (const key of reports.keys()) due.delete(key);
    const settled = waiting.filter(({ key }) => reports.has(key));
    waiting = waiting.filter(({ key }) => !reports.has(key));
    isBusy = true;
    timer = undefined;
    let next = SIGN_OF_LIFE_MS;
    try {
      const { forgotten } = await presences.reportPresences({
        gatewayId,
        reports: [...reports.values()],
      });
      if (forgotten)
        for (const user of held.values())
          due.set(keyOf(user), { ...connected(user), ...due.get(keyOf(user)) });
      for (const { resolve } of settled) resolve();
    } catch (error) {
      log.warn({ error }, 'presence is not reported');
      // What the users chose meanwhile comes after, and is told them as failed.
      due = new Map([...reports, ...due]);
      for (const { reject } of settled) reject(error);
      next = RETRY_MS;
    }
    isBusy = false;
    schedule(due.size > 0 && next !== RETRY_MS ? GATHER_MS : next);
  }

  schedule(SIGN_OF_LIFE_MS);
  return {
    joined(user) {
      const key = keyOf(user);
      going.get(key)?.();
      const isKnown = going.delete(key) || held.has(key);
      held.set(key, user);
      if (!isKnown) put(user, { connected: true });
    },
    left(user) {
      const key = keyOf(user);
      held.delete(key);
      const forget = clock.setTimer(GRACE_MS, () => {
        going.delete(key);
        put(user, { connected: false });
      });
      going.set(key, forget);
    },
    choose(user, status) {
      put(user, { status });
      return new Promise((resolve, reject) => waiting.push({ key: keyOf(user), resolve, reject }));
    },
    // Those who were held come back elsewhere, or are found to be gone by this gateway's silence.
    stop() {
      isStopped = true;
      timer?.cancel();
      for (const forget of going.values()) forget();
      for (const { resolve } of waiting) resolve();
    },
  };
}

function connected(user: User): Report {
  return { ...user, connected: true, status: PresenceStatus.UNSPECIFIED };
}
