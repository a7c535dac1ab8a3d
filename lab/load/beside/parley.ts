import type { Subprotocol } from '../../../test/support/socket.ts';
import { createBench } from '../bench.ts';
import { withDatabase } from '../database.ts';
import { startMeasured } from '../platform.ts';
import { connectGroup, connectPairs } from '../scenarios/connect.ts';
import { warmUp } from '../warm-up.ts';
import type { System } from './system.ts';

/** Starts this checkout's platform as the system to measure. */
export async function createParleySystem(
  { scale, subprotocol }: { scale: number; subprotocol: Subprotocol },
  signal: AbortSignal,
): Promise<System> {
  const { running, tls, metricsPorts, stop } = await startMeasured({ profile: false, signal });
  // Each shape has an application of its own.
  const bench = () => createBench({ running, tls, scale, metricsPorts });
  return {
    get state() {
      return running.state;
    },
    warmUp: async () => warmUp(await bench()),
    connectPairs: async (shape) => connectPairs(await bench(), { ...shape, subprotocol }),
    connectGroup: async (shape) => connectGroup(await bench(), { ...shape, subprotocol }),
    countStored: () => countMessages(running.state.postgres_url),
    failed: new Promise(() => undefined),
    stop,
  };
}

async function countMessages(url: string): Promise<number> {
  const count = 'select count(*)::int as count from message';
  const { rows } = await withDatabase(url, 'parley_messaging', (client) =>
    client.query<{ count: number }>(count),
  );
  return rows[0]?.count ?? 0;
}
