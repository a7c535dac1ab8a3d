import {
  APP_ID,
  fillStore,
  offlineClient,
  platformOf,
  until,
  untilCounted,
} from '../../../../../lab/load/scenarios/client-records.ts';
import { indexedDbStorage } from '../../../src/indexeddb.ts';

/** Fills the page's store of the user. */
export function fill(size: { conversations: number; messages: number }): Promise<void> {
  return fillStore(indexedDbStorage(), { appId: APP_ID, ...size });
}

/** Applies a replay of so many messages over 50 conversations. Answers the milliseconds until they are counted. */
export async function apply(count: number): Promise<number> {
  const platform = platformOf(count, 50);
  const began = performance.now();
  const device = offlineClient(platform, indexedDbStorage());
  await untilCounted(device, count);
  const ms = performance.now() - began;
  await device.destroy();
  return ms;
}

/** Opens the store. Answers the milliseconds until the list of conversations is there. */
export async function open(conversations: number): Promise<number> {
  const platform = platformOf(0, 1);
  const began = performance.now();
  const device = offlineClient(platform, indexedDbStorage());
  await until(device.conversations(), ({ items }) => items.length === conversations);
  const ms = performance.now() - began;
  await device.destroy();
  return ms;
}
