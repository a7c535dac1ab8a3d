import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';

/** A kind of process whose consumers wait meanwhile. */
export type Forgetting = { name: 'webhook' | 'push'; ms: number };

/**
 * NATS comes back with the files of some time before, as after a loss of power or from a snapshot: what it has acknowledged since is gone. One kind of
 * process was cut off since then, so that its consumers had handled nothing of that.
 */
export async function forget(world: World, { name, ms }: Forgetting): Promise<void> {
  const stored = path.join(world.natsFolder, 'jetstream');
  const kept = `${world.natsFolder}-kept`;
  const proxies = [name, `${name}-2`].flatMap((one) => world.wires.natsProxyOf(one) ?? []);
  try {
    for (const proxy of proxies) proxy.cut();
    await whileStopped(world, () => cp(stored, kept, { recursive: true }));
    await pause(ms);
    const before = world.pidOf('nats');
    world.signal('nats', 'SIGSTOP');
    await rm(stored, { recursive: true });
    await cp(kept, stored, { recursive: true });
    world.signal('nats', 'SIGKILL');
    await world.untilReplaced('nats', before);
  } finally {
    for (const proxy of proxies) proxy.restore();
    await rm(kept, { recursive: true, force: true });
  }
}

async function whileStopped(world: World, work: () => Promise<void>): Promise<void> {
  world.signal('nats', 'SIGSTOP');
  try {
    await work();
  } finally {
    world.signal('nats', 'SIGCONT');
  }
}
