import type { Client } from '@connectrpc/connect';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Clock } from '@parley/kit/runtime/clock';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Head } from '@parley/proto/parley/live/v1/live_pb';
import { readUserEvents, sinceMoment } from '../replay/user-events.ts';
import { createMissedRanges } from './missed-ranges.ts';
import type { Hub } from '../../connection/hub.ts';
import type { Repairs } from './repairs.ts';

/** Delivers the events of a time in which the broker was unreachable. */
export type CatchUp = {
  /** `moment`: when the gap began, by `performance.now()`. */
  from(moment: number): void;
  /** Discards conversation changes that have been read but not delivered. */
  forget(): void;
  stop(): void;
};

type Options = {
  hub: Hub;
  logs: readonly Client<typeof ChangeLogService>[];
  repairs: Repairs;
  clock: Clock;
  /** Delivers an event that names its audience and has no number. */
  deliver(event: Event): Promise<void>;
  /** Fetches and delivers the conversation's changes from `firstSeq` to `seq`. */
  head(appId: string, head: Head): void;
  failed(error: unknown): void;
};

/** Spreads the reads of gateways that lost the broker simultaneously. Milliseconds. */
export const JITTER_MS = 500;
/** Changes found in the logs of several users are gathered for this long, so that a conversation is fetched once, from its first change. */
export const GATHER_MS = 100;

/** Reads the logs of each connected user separately: a failed read is repeated and does not delay the others. */
export function createCatchUp(options: Options): CatchUp {
  const { hub, logs, repairs, clock, failed } = options;
  const timers = new Set<() => void>();
  let missed = createMissedRanges();
  let isFlushDue = false;
  let era = 0;

  function later(ms: number, work: () => void): void {
    const cancel = clock.setTimer(ms, () => {
      timers.delete(cancel);
      guardListener(work, failed);
    });
    timers.add(cancel);
  }

  function flush(): void {
    const found = missed.list();
    missed = createMissedRanges();
    isFlushDue = false;
    for (const { appId, head } of found) options.head(appId, head);
  }

  function note(event: Event): void {
    missed.note(event);
    if (!isFlushDue) later(GATHER_MS, flush);
    isFlushDue = true;
  }

  function readAll(moment: number): void {
    const since = sinceMoment(moment, clock.now);
    const users = new Map([...hub.all()].map(({ caller }) => [`${caller.appId}/${caller.userId}`, caller]));
    for (const [key, { appId, userId }] of users) {
      logs.forEach((log, index) => {
        const delivered = new Set<string>();
        repairs.add(`${key}/${index}`, {
          isWanted: () => hub.of(appId, userId) !== undefined,
          async run() {
            const before = era;
            for await (const { events } of readUserEvents({ logs: [log], appId, userId, since })) {
              for (const event of events) {
                if (era !== before) return;
                if (event.seq > 0) note(event);
                else if (event.onlyUserIds.length > 0) await deliverOnce(options, delivered, event);
              }
            }
          },
        });
      });
    }
  }

  return {
    from: (moment) => later(Math.random() * JITTER_MS, () => readAll(moment)),
    forget() {
      era += 1;
      missed = createMissedRanges();
    },
    stop() {
      for (const cancel of timers) cancel();
    },
  };
}

/** Delivers an event unless an earlier attempt did; `delivered` holds the events delivered so far. */
async function deliverOnce(options: Options, delivered: Set<string>, event: Event): Promise<void> {
  const key = `${event.id}/${event.createdAt}`;
  if (delivered.has(key)) return;
  await options.deliver(event);
  delivered.add(key);
}
