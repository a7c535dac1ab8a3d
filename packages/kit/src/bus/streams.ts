import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { StreamConfig } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../runtime/telemetry/log.ts';
import { connectOnce, type NatsAccess } from './connect.ts';
import type { Link } from './link.ts';

export type StreamOptions = {
  name: string;
  subjects: string[];
  maxAgeMs: number;
  /** A stream of this size refuses new messages, so that no acknowledged message is dropped. */
  maxBytes: number;
  replicas: number;
  /** Messages with the same id within this time are stored once. */
  duplicateWindowMs: number;
};

export type Streams = {
  ensure(options: StreamOptions): Promise<void>;
  /** Resolves when the stream exists, created here if requested, or when the connection is lost or the signal aborts. */
  untilThere(name: string, signal: AbortSignal): Promise<void>;
  repair(): Promise<void>;
  /** Deletes the stream with its messages and consumers, and creates it again. */
  empty(name: string): Promise<void>;
  /** Creation time, as formatted by the server: a different time means a different stream. */
  madeAt(name: string): Promise<string>;
};

const NAME_IN_USE = 10058;
const NOT_FOUND = 10059;
const RETRY_MS = 250;
/**
 * NATS before 2.10 forgets a stream up to a second before it removes its folder, and deletes the files of a stream created in between.
 * Milliseconds.
 */
const DELETION_MS = 1_500;
const TRIES_BETWEEN_WARNINGS = 40;

/**
 * Keeps streams in existence: creates missing ones when they are requested, after each connect, and after each publish that no stream
 * accepted.
 */
export function createStreams(link: Link, log: Logger): Streams {
  const wanted = new Map<string, StreamOptions>();
  const working = new Map<string, Promise<void>>();
  /** Streams that have existed: if one is missing, the server may still be removing its files. */
  const known = new Set<string>();

  // Ends with the connection; the next connect starts again.
  async function untilCreated(name: string): Promise<void> {
    while (link.current()) {
      const options = wanted.get(name);
      if (!options) return;
      try {
        if (known.has(name) && !(await isThere(link, name))) await delay(DELETION_MS);
        await link.unlessLost((nc) => createStream(nc, options));
        known.add(name);
        return;
      } catch (error) {
        log.warn({ error, stream: name }, 'failed to create stream; will retry');
      }
      await delay(RETRY_MS);
    }
  }

  function once(name: string): Promise<void> {
    const running = working.get(name);
    if (running) return running;
    const started = untilCreated(name).finally(() => working.delete(name));
    working.set(name, started);
    return started;
  }

  async function repair(): Promise<void> {
    await Promise.all([...wanted.keys()].map(once));
  }

  link.onConnect(() => void repair());
  return {
    async ensure(options) {
      wanted.set(options.name, options);
      await working.get(options.name);
      await once(options.name);
    },
    async untilThere(name, signal) {
      if (wanted.has(name)) return once(name);
      for (let tries = 1; link.current() && !signal.aborted; tries++) {
        try {
          return void (await readMadeAt(link, name));
        } catch (error) {
          if (tries % TRIES_BETWEEN_WARNINGS === 0)
            log.warn({ error, stream: name }, 'stream is missing; waiting until another process creates it');
        }
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    repair,
    async empty(name) {
      await link.unlessLost((nc) => deleteStream(nc, name));
      // The server has removed the folder by now.
      known.delete(name);
      await once(name);
    },
    madeAt: (name) => readMadeAt(link, name),
  };
}

function readMadeAt(link: Link, name: string): Promise<string> {
  return link.unlessLost(async (nc) => {
    const { streams } = await jetstreamManager(nc, { checkAPI: false });
    return (await streams.info(name)).created;
  });
}

async function isThere(link: Link, name: string): Promise<boolean> {
  try {
    return (await readMadeAt(link, name)) !== '';
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function deleteStream(nc: NatsConnection, name: string): Promise<void> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false });
  try {
    await streams.delete(name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === NOT_FOUND;
}

/** Creates the stream or changes its configuration. The NATS user of ordinary processes may only create it. */
export async function migrateStream(access: NatsAccess, options: StreamOptions): Promise<void> {
  const nc = await connectOnce(access);
  try {
    if (await createStream(nc, options)) return;
    const { streams } = await jetstreamManager(nc, { checkAPI: false });
    await streams.update(options.name, streamConfig(options));
  } finally {
    await nc.close();
  }
}

/** False if a stream with this name has another configuration, which is left unchanged. */
async function createStream(nc: NatsConnection, options: StreamOptions): Promise<boolean> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false });
  try {
    await streams.add(streamConfig(options));
    return true;
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) throw error;
    return false;
  }
}

function streamConfig(options: StreamOptions): Partial<StreamConfig> & { name: string } {
  return {
    name: options.name,
    subjects: options.subjects,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: nanos(options.maxAgeMs),
    max_bytes: options.maxBytes,
    num_replicas: options.replicas,
    duplicate_window: nanos(options.duplicateWindowMs),
  };
}
