import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { v7 as uuidv7 } from 'uuid';
import type { Bus, Stored, Subscription } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock/index.ts';
import { forgetRecentEvents, readRecentEvents } from '../outbox/recent.ts';
import { every } from '../work/every.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Database } from '../../postgres/index.ts';
import { findFilledStream, setFilled } from './filled-stream.ts';
import { lookForLosses } from './losses.ts';
import { highestOf, noteMark, type Published } from './marks.ts';
import { isTooLargeForGood } from '../../bus/payload-limit.ts';

export { FILLED_STREAM_TABLE_SQL } from './filled-stream.ts';

type Message = { subject: string; payload: Uint8Array };
/** `msgId`: defaults to a new one. */
type Republished = Message & { msgId?: string };

export type RepublishOptions = {
  db: Database;
  bus: Bus;
  log: Logger;
  clock: Clock;
  /** Name of the stream. */
  stream: string;
  /** A subject of the stream that only this service publishes on, and only milestones. */
  milestones: string;
  /** Pages of the logged messages published since a time (milliseconds), as they would be published now. */
  read(since: number): AsyncIterable<Message[]>;
};

/** How far back a stream is refilled. Milliseconds. */
export const REACH_MS = 7 * 24 * 3600_000;
const CHECK_EVERY_MS = 5_000;
/**
 * Longest time from writing an event to inserting its outbox row, by another process's clock: the longest transaction plus the largest
 * clock difference, doubled. Milliseconds.
 */
const MARGIN_MS = 20_000;
/** Younger than the stream's messages, which expire at the age of REACH_MS. Milliseconds. */
const MILESTONE_AGE_MS = REACH_MS - 3600_000;
/** Attempts for a message that the server did not accept in time: a single message must not make the refill start over. */
const TRIES = 3;
const RETRY_MS = 500;

/**
 * The stream is never the only copy. A stream that was created again because the server lost its files gets the events of the last 7 days
 * again; a stream that lost its latest messages because the server came back with older files gets everything written since the first lost
 * one. Consumers drop events they have handled. An interrupted refill starts over with the same ids, so the stream drops what it has just
 * stored.
 */
export function startRepublishing(options: RepublishOptions): { stop(): Promise<void> } {
  const { db, bus, log, clock, stream, milestones } = options;
  const job = { db, log, clock, intervalMs: CHECK_EVERY_MS, isAble: () => bus.connected };
  const filling = every({
    ...job,
    name: `refill-${stream}`,
    run: () => fillIfLost(options),
  });
  // Continues while the stream is being filled, which may take long: messages published meanwhile may be lost, too.
  const watching = every({
    ...job,
    name: `losses-${stream}`,
    run: async () => {
      await forgetRecentEvents(db, clock.now());
      const isLost = await lookForLosses({ db, bus, log, stream, milestones, maxAgeMs: MILESTONE_AGE_MS });
      if (isLost) void filling.runNow();
    },
  });
  const reconnects: Subscription = bus.onReconnect(() => {
    void filling.runNow();
    void watching.runNow();
  });
  return {
    async stop() {
      reconnects.close();
      await watching.stop();
      await filling.stop();
    },
  };
}

async function fillIfLost(options: RepublishOptions): Promise<void> {
  const { db, bus, log, clock, stream, read } = options;
  const madeAt = await bus.streamMadeAt(stream);
  const known = await findFilledStream(db, stream);
  const { lostSince = null, losses = 0 } = known ?? {};
  const isNew = known?.madeAt !== madeAt;
  if (!isNew && lostSince === null) return;
  const oldest = clock.now() - REACH_MS;
  const since = isNew || lostSince === null ? oldest : Math.max(oldest, lostSince - MARGIN_MS);
  let count = 0;
  for await (const messages of allSince(db, read, since)) {
    await publishAgain(
      { db, bus, log },
      messages.map((message) => ({ ...message, msgId: refillId(`${madeAt} ${losses}`, message) })),
      since,
    );
    count += messages.length;
  }
  await setFilled(db, stream, { madeAt, lostSince, losses });
  if (count > 0) log.warn({ stream, messages: count, since: new Date(since) }, 'refilled stream from the event log'); // prettier-ignore
}

/** Recent events first: some of them are pushes, which soon become useless. */
async function* allSince(
  db: Database,
  read: RepublishOptions['read'],
  since: number,
): AsyncIterable<Message[]> {
  yield* readRecentEvents(db, since);
  yield* read(since);
}

type Publishing = { db: Database; bus: Bus; log: Logger };

/**
 * Publishes past messages whose events were written since a time (milliseconds). A message that no server accepts is reported and skipped,
 * so that it does not stop the rest.
 */
export async function publishAgain(
  { db, bus, log }: Publishing,
  messages: readonly Republished[],
  since: number,
): Promise<void> {
  const published = await Promise.all(
    messages.map(async ({ msgId: messageId = uuidv7(), ...message }): Promise<Published | undefined> => {
      try {
        return { ...message, messageId, stored: await publishOne(bus, messageId, message) };
      } catch (error) {
        if (!isTooLargeForGood(error, bus)) throw error;
        log.error({ error, subject: message.subject }, 'logged event is too large to publish again; skipped');
        return undefined;
      }
    }),
  );
  const highest = highestOf(published.filter((one) => one !== undefined));
  if (highest) await noteMark(db, highest, since);
}

/** Publishes a message with the same id in each attempt, so that the stream keeps one copy. */
async function publishOne(bus: Bus, msgId: string, { subject, payload }: Message): Promise<Stored> {
  for (let tries = 1; ; tries++) {
    try {
      return await bus.publish(subject, payload, { msgId });
    } catch (error) {
      const isTransient = ConnectError.from(error).code === Code.Unavailable && bus.connected;
      if (!isTransient || tries === TRIES) throw error;
    }
    await delay(RETRY_MS);
  }
}

function refillId(cause: string, { subject, payload }: Message): string {
  return createHash('sha256').update(`${cause}\n${subject}\n`).update(payload).digest('base64url');
}
