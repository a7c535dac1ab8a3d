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
import type { Logger } from '../telemetry/log.ts';
import type { Link } from './link.ts';

export type StreamOptions = {
  name: string;
  subjects: string[];
  maxAgeMs: number;
  /** A stream of this size refuses new messages, so that no acknowledged message is dropped. */
  maxBytes: number;
  replicas: number;
  /** Messages with the same id within that time are stored once. */
  duplicateWindowMs: number;
};

export type Streams = {
  ensure(options: StreamOptions): Promise<void>;
  repair(): Promise<void>;
  /** Creation time, as the server writes it: a different time means a different stream. */
  madeAt(name: string): Promise<string>;
};

const NAME_IN_USE = 10058;
const RETRY_MS = 250;

/**
 * Keeps streams in existence: creates or updates them when they are requested, after each connect, and after each publish
 * that no stream stored.
 */
export function createStreams(link: Link, log: Logger): Streams {
  const wanted = new Map<string, StreamOptions>();
  const working = new Map<string, Promise<void>>();

  // Ends when the connection does; the next connect begins again.
  async function untilThere(name: string): Promise<void> {
    while (link.current()) {
      const options = wanted.get(name);
      if (!options) return;
      try {
        return await link.unlessLost((nc) => makeStream(nc, options));
      } catch (error) {
        log.warn({ error, stream: name }, 'failed to create stream; will retry');
      }
      await delay(RETRY_MS);
    }
  }

  function once(name: string): Promise<void> {
    const running = working.get(name);
    if (running) return running;
    const started = untilThere(name).finally(() => working.delete(name));
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
    repair,
    madeAt: (name) =>
      link.unlessLost(async (nc) => {
        const { streams } = await jetstreamManager(nc, { checkAPI: false });
        return (await streams.info(name)).created;
      }),
  };
}

async function makeStream(nc: NatsConnection, options: StreamOptions): Promise<void> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false });
  const config = streamConfig(options);
  try {
    await streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) throw error;
    await streams.update(options.name, config);
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
