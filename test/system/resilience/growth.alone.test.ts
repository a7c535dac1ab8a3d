import { findExcesses } from '../../fuzz/growth/judge.ts';
import { growingRequests } from '../../fuzz/growth/requests.ts';
import { createPacketSender, type PacketSender } from '../../fuzz/packets.ts';
import { createProcessCheck } from '../../fuzz/report.ts';
import { checkService, createApps, createWorld } from '../../fuzz/world.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

/** Far fewer would mean that the descriptions were not followed any more. */
const LEAST_REQUESTS = 1_500;
/** All requests with a list of a legal length and large items are tried, and of the others one in so many. */
const SAMPLED = 8;

let own: OwnPlatform | undefined;
let packets: PacketSender | undefined;

afterAll(async () => {
  packets?.close();
  await own?.stop();
});

// Takes half an hour: PARLEY_TEST_GROWTH=1 npm test -- growth.alone
const measured = process.env['PARLEY_TEST_GROWTH'] === '1' ? test : test.skip;

measured(
  'what a request costs grows with its size at most, in the dimensions of every request',
  async () => {
    const platform = await ownPlatform({ durable: false });
    own = platform;
    const apps = await createApps(platform);
    const world = { ...(await createWorld(apps, 'growing')), note: () => undefined };
    packets = createPacketSender(world);
    const checkProcesses = createProcessCheck(() => platform.running.state.processes);
    const requests = await growingRequests(world, packets);
    expect(requests.length).toBeGreaterThan(LEAST_REQUESTS);
    const excesses: string[] = [];
    const sampled = requests.filter(
      ({ dimension }, index) => /^900 large|^keys/.test(dimension) || index % SAMPLED === 0,
    );
    for (const some of Map.groupBy(sampled, ({ of }) => of).values()) {
      excesses.push(...(await findExcesses(() => platform.running.state, some)));
      checkProcesses();
    }
    expect(excesses).toEqual([]);
    await checkService(await createWorld(apps, 'afterwards'));
  },
  1_800_000,
);
