import type { Client } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { PresenceService, PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { isOfEarlier, keyOf, Reports, type User } from './reports.ts';

/** Reports to identity who is connected to this gateway, and which presence users choose. */
export type PresenceReporter = {
  joined(user: User): void;
  /** The user's last socket here has closed. */
  left(user: User): void;
  /** Resolves when the chosen status is recorded. */
  choose(user: User, status: PresenceStatus): Promise<void>;
  stop(): void;
};

type Options = { presences: Client<typeof PresenceService>; clock: Clock; log: Logger };

/** A reconnect within this time does not change presence. */
const GRACE_MS = 2_000;
/** Reports are gathered for this long, so that there are at most ten calls a second. Milliseconds. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;
/** A gateway without reports calls at this interval, so that identity knows it is alive. Milliseconds. */
const SIGN_OF_LIFE_MS = 3_000;
const MAX_IN_CALL = 2_000;

export function createPresenceReporter(options: Options): PresenceReporter {
  const { clock } = options;
  const connected = new Map<string, User>();
  /** Users whose last socket has just closed, with a function that cancels the report. */
  const leaving = new Map<string, { user: User; cancel(): void }>();
  const reports = new Reports();
  const loop = startReportLoop(options, reports, connected);
  return {
    joined(user) {
      const key = keyOf(user);
      const left = leaving.get(key);
      left?.cancel();
      leaving.delete(key);
      const known = connected.get(key) ?? left?.user;
      // A person who takes over a recently erased user's id has not been reported.
      const isKnown = known !== undefined && !isOfEarlier(known, user);
      connected.set(key, isKnown ? known : user);
      if (isKnown) return;
      reports.add(user, { connected: true });
      loop.schedule(GATHER_MS);
    },
    left(gone) {
      const key = keyOf(gone);
      const user = connected.get(key) ?? gone;
      connected.delete(key);
      const cancel = clock.setTimer(GRACE_MS, () => {
        leaving.delete(key);
        reports.add(user, { connected: false });
        loop.schedule(GATHER_MS);
      });
      leaving.set(key, { user, cancel });
    },
    choose(user, status) {
      reports.add(user, { status });
      loop.schedule(GATHER_MS);
      return reports.settled(user);
    },
    // The users connected here reconnect elsewhere, or identity notices that this gateway is silent.
    stop() {
      loop.stop();
      for (const { cancel } of leaving.values()) cancel();
      reports.resolveAll();
    },
  };
}

type ReportLoop = {
  /** Sends due reports after `afterMs` at the latest. */
  schedule(afterMs: number): void;
  stop(): void;
};

function startReportLoop(
  { presences, clock, log }: Options,
  reports: Reports,
  connected: ReadonlyMap<string, User>,
): ReportLoop {
  const gatewayId = newId();
  let timer: { at: number; cancel(): void } | undefined;
  let isBusy = false;
  let isStopped = false;

  function schedule(afterMs: number): void {
    const at = clock.now() + afterMs;
    if (isBusy || isStopped || (timer && timer.at <= at)) return;
    timer?.cancel();
    timer = { at, cancel: clock.setTimer(afterMs, () => void send()) };
  }

  async function send(): Promise<void> {
    const batch = reports.take(MAX_IN_CALL);
    isBusy = true;
    timer = undefined;
    let next = SIGN_OF_LIFE_MS;
    try {
      const { forgotten } = await presences.reportPresences({
        gatewayId,
        reports: [...batch.reports.values()],
      });
      if (forgotten) for (const user of connected.values()) reports.addConnected(user);
      for (const { resolve } of batch.waiters) resolve();
      if (reports.size > 0) next = GATHER_MS;
    } catch (error) {
      log.warn({ error }, 'failed to report presence; will retry');
      reports.putBack(batch);
      for (const { reject } of batch.waiters) reject(error);
      next = RETRY_MS;
    }
    isBusy = false;
    schedule(next);
  }

  schedule(SIGN_OF_LIFE_MS);
  return {
    schedule,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
