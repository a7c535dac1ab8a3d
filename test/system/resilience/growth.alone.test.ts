import { growingRequests, type Growing } from '../../fuzz/growth/requests.ts';
import { findExcess } from '../../fuzz/growth/judge.ts';
import { createPacketSender, type PacketSender } from '../../fuzz/packets.ts';
import { createProcessCheck } from '../../fuzz/report.ts';
import { checkService, createApps, createWorld } from '../../fuzz/world.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

/** Far fewer would mean that the descriptions were not followed any more. */
const LEAST_REQUESTS = 1_000;

let own: OwnPlatform;
let packets: PacketSender | undefined;

beforeAll(async () => {
  own = await ownPlatform({ durable: false });
}, 120_000);
afterAll(async () => {
  packets?.close();
  await own.stop();
});

test('what a request costs grows with its size at most, in every dimension of every request', async () => {
  const apps = await createApps(own);
  const world = { ...(await createWorld(apps, 'growing')), note: () => undefined };
  packets = createPacketSender(world);
  const checkProcesses = createProcessCheck(() => own.running.state.processes);
  const requests = await growingRequests(world, packets);
  expect(requests.length).toBeGreaterThan(LEAST_REQUESTS);
  const excesses: string[] = [];
  for (const growing of requests) {
    const excess = await findExcess(() => own.running.state, growing);
    if (excess !== undefined) excesses.push(describe(growing, excess));
    checkProcesses();
  }
  expect(excesses).toEqual([]);
  await checkService(await createWorld(apps, 'afterwards'));
}, 900_000);

function describe({ of, dimension }: Growing, excess: string): string {
  return `${of}, ${dimension}: ${excess.slice(0, 300)}`;
}
