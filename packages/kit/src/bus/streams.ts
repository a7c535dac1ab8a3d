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
  /** When that much is stored, new messages are refused: nothing that was acknowledged is dropped. */
  maxBytes: number;
  replicas: number;
  /** Two messages with the same id within that time are stored once. */
  duplicateWindowMs: number;
};

export type Streams = {
  ensure(options: StreamOptions): Promise<void>;
  repair(): Promise<void>;
  /** When it was made, as the server writes it: another time stands for another stream. */
  madeAt(name: string): Promise<string>;
};

const NAME_IN_USE = 10058;
const RETRY_MS = 250;

/**
 * Streams that are there whenever the server is: made or brought to their options when they are asked for, and again
 * after each connect and each publish that found nobody to store it.
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
        log.warn({ error, stream: name }, 'stream cannot be made');
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
