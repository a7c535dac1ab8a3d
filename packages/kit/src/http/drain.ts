import { once } from 'node:events';
import type { Server } from 'node:http';
import { startInterval, startTimeout } from '../runtime/clock/index.ts';

const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

/** Accepts no new connections, lets running requests finish, and closes the remaining connections after a while. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const endIdle = startInterval(CLOSE_IDLE_EVERY_MS, () => server.closeIdleConnections());
  const cancelForce = startTimeout(DRAIN_MS, () => server.closeAllConnections());
  await closed;
  endIdle();
  cancelForce();
}
