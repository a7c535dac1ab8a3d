import type { Platform as Running } from '@parley/stack/platform';
import type { Platform } from '../../../test/support/app.ts';
import { createPacketSender } from '../packets.ts';
import { checkService, createApps, createWorld } from '../world.ts';
import { findExcesses } from './judge.ts';
import { growingRequests } from './requests.ts';

/** Fewer requests mean that the descriptions of the API were not followed. */
const LEAST_REQUESTS = 1_500;

/**
 * Sends every request that the platform describes, with one dimension small and then large, and yields those whose processor time grew
 * faster than their size. Throws when a process ended, or when the platform does not serve afterwards.
 */
export async function* findGrowth(
  running: Running,
  platform: Platform,
  checkProcesses: () => void,
): AsyncGenerator<string> {
  const apps = await createApps(platform);
  const world = { ...(await createWorld(apps, 'growing')), note: () => undefined };
  const packets = createPacketSender(world);
  try {
    const requests = await growingRequests(world, packets);
    if (requests.length < LEAST_REQUESTS) throw new Error(`only ${requests.length} requests were described`);
    for (const some of Map.groupBy(requests, ({ of }) => of).values()) {
      yield* await findExcesses(() => running.state, some);
      checkProcesses();
    }
  } finally {
    packets.close();
  }
  await checkService(await createWorld(apps, 'afterwards'));
}
