import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { v7 as uuidv7 } from 'uuid';
import type { Bus, Subscription } from '../bus.ts';
import { isTooLargeForGood } from './payload-limit.ts';
import type { Clock } from '../clock.ts';
import { every } from '../work/every.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Database } from '../postgres.ts';

/** Table of every service that refills a stream, created by one of its migrations. */
export const FILLED_STREAM_TABLE_SQL = `
create table filled_stream (
  name text primary key,
  made_at text not null
);
`;

type Message = { subject: string; payload: Uint8Array };
/** `msgId`: default a new one. */
type Republished = Message & { msgId?: string };

export type RefillOptions = {
  db: Database;
  bus: Bus;
  log: Logger;
  clock: Clock;
  /** Name of the stream. */
  stream: string;
  /** Pages of the messages published since a time (milliseconds), as they would be published now. */
  read(since: number): AsyncIterable<Message[]>;
};

/** How far back a stream is refilled. */
export const REACH_MS = 7 * 24 * 3600_000;
const CHECK_EVERY_MS = 5_000;
/** For a message that the server did not take in time: one of many must not have the refill start over. */
const TRIES = 3;
const RETRY_MS = 500;

/**
 * Detects that a stream was created anew, since the server lost its files, and publishes the events of the last 7 days
 * again: transport is never the only copy. Consumers drop events that they have handled. An interrupted refill starts over, with
 * the same ids, by which the stream drops what it has taken a moment before.
 */
export function startRefill({ db, bus, log, clock, stream, read }: RefillOptions): { stop(): Promise<void> } {
  // Creation time at the last check: while it stays the same, only NATS is asked.
  let known: string | undefined;

  async function run(): Promise<void> {
    const madeAt = await bus.streamMadeAt(stream);
    if (madeAt === known) return;
    if ((await findMadeAt(db, stream)) !== madeAt) await fill(madeAt);
    known = madeAt;
  }

  async function fill(madeAt: string): Promise<void> {
    let count = 0;
    for await (const messages of read(clock.now() - REACH_MS)) {
      await publishAgain(
        { bus, log },
        messages.map((message) => ({ ...message, msgId: refillId(madeAt, message) })),
      );
      count += messages.length;
    }
    await upsertMadeAt(db, stream, madeAt);
    if (count > 0) log.warn({ stream, messages: count }, 'refilled new stream from the event log');
  }

  const timing = { name: `refill-${stream}`, intervalMs: CHECK_EVERY_MS, isAble: () => bus.connected };
  const job = every({ db, log, clock, ...timing, run });
  const reconnects: Subscription = bus.onReconnect(() => void job.runNow());
  return {
    async stop() {
      reconnects.close();
      await job.stop();
    },
  };
}

/** Publishes messages of the past. One that no server accepts is reported and skipped, so that it does not stop the others. */
export async function publishAgain(
  { bus, log }: { bus: Bus; log: Logger },
  messages: readonly Republished[],
): Promise<void> {
  await Promise.all(
    messages.map(async (message) => {
      try {
        await publishOne(bus, message);
      } catch (error) {
        if (!isTooLargeForGood(error, bus)) throw error;
        log.error({ error, subject: message.subject }, 'logged event is too large to publish again; skipped');
      }
    }),
  );
}

/** With the same id in each try, so that the stream keeps one. */
async function publishOne(bus: Bus, { subject, payload, msgId = uuidv7() }: Republished): Promise<void> {
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

function refillId(madeAt: string, { subject, payload }: Message): string {
  return createHash('sha256').update(`${madeAt}\n${subject}\n`).update(payload).digest('base64url');
}

async function findMadeAt(db: Database, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ made_at: string }>({
    text: 'select made_at from filled_stream where name = $1',
    values: [name],
  });
  return row?.made_at;
}

async function upsertMadeAt(db: Database, name: string, madeAt: string): Promise<void> {
  await db.execute({
    text: `
      insert into filled_stream (name, made_at) values ($1, $2)
      on conflict (name) do update set made_at = excluded.made_at`,
    values: [name, madeAt],
  });
}
