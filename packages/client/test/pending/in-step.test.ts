import * as fc from 'fast-check';
import { EVE, happen, newWorld, replayScenario, scenario, type Event, type World } from './world.ts';

/** Compares what the device shows after an event with what it showed before. */
function check(world: World, before: { count: number; unread: number; heard: number }): void {
  const { record, unread } = world.shown();
  const { unread_message_count: count, participants, metadata } = record;
  // No message is shown as unread without its count.
  expect(count).toBeGreaterThanOrEqual(unread.length);
  // The count rises by messages of which the device hears, and never by itself.
  const news = Math.max(world.heard - before.heard, unread.length - before.unread, 0);
  expect(count).toBeLessThanOrEqual(before.count + news);
  expect(participants.some(({ id }) => id === EVE)).toBe(world.wantsEve);
  const topic = metadata['topic'] as string | undefined;
  if (topic !== undefined && topic !== world.topicsShown.at(-1)) world.topicsShown.push(topic);
}

/** Everything arrives. */
async function settle(world: World): Promise<void> {
  const isBusy = (): boolean =>
    world.events.length + world.socket.length > 0 ||
    world.isUpdateDue !== undefined ||
    world.request !== undefined ||
    world.lane.some(({ isDone }) => !isDone);
  while (isBusy())
    for (const event of ['perform', 'push', 'count', 'deliver', 'answer'] as const)
      await step(world, event, 0);
}

async function step(world: World, event: Event, which: number): Promise<void> {
  const { record, unread } = world.shown();
  const before = { count: record.unread_message_count, unread: unread.length, heard: world.heard };
  await happen(world, event, which);
  check(world, before);
}

test.each([
  ['counts, participants and metadata never go back, in whichever order packets and answers come', scenario],
  ['participants and metadata never go back while a replay repeats the conversation', replayScenario],
])('%s', async (_, given) => {
  const property = fc.asyncProperty(given, async (events) => {
    const world = await newWorld();
    for (const [event, which] of events) await step(world, event, which);
    await settle(world);
    const { record, unread } = world.shown();
    expect([record.unread_message_count, unread.length]).toEqual([
      world.database.unread.size,
      world.database.unread.size,
    ]);
    expect(record.metadata['topic']).toBe(world.topics.at(-1));
    const order = world.topicsShown.map((topic) => world.topics.indexOf(topic));
    expect(order).toEqual([...order].sort((one, other) => one - other));
  });
  await fc.assert(property, { numRuns: 100 });
});
