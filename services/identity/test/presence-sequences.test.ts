import { randomUUID } from 'node:crypto';
import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import fc from 'fast-check';
import { createTestApp, logIn, type TestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';

// Any sequence of reports of two gateways, on time and late, and of erasures, against a model of the presence of a user id's holder.

const { AVAILABLE, BUSY, OFFLINE, UNSPECIFIED } = PresenceStatus;
const GATEWAYS = 2;

type Holder = { app: TestApp; userId: string };
/** `recorded`: there is a presence of the present holder. */
type Model = { recorded: boolean; holds: Set<number>; chosen: PresenceStatus; incarnations: number[] };
type Step =
  | { what: 'report'; gateway: number; connected: boolean | undefined; status: PresenceStatus; ago: number }
  | { what: 'erase' }
  /** A gateway reports the person while they are erased. */
  | { what: 'eraseBeside'; gateway: number };

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

const gateway = fc.nat(GATEWAYS - 1);
const report = fc.record({
  what: fc.constant('report' as const),
  gateway,
  connected: fc.constantFrom(true, true, false, undefined),
  status: fc.constantFrom(UNSPECIFIED, UNSPECIFIED, AVAILABLE, BUSY),
  // By which holder before the present one: a gateway that stood still reports late.
  ago: fc.constantFrom(0, 0, 0, 1, 2),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: report },
  { weight: 1, arbitrary: fc.constant({ what: 'erase' as const }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('eraseBeside' as const), gateway }) },
);

type World = Holder & { gatewayIds: readonly string[]; model: Model };

async function take(world: World, next: Step): Promise<void> {
  if (next.what === 'report') return reportOne(world, next);
  const { app, userId, gatewayIds, model } = world;
  const late = { connected: true, status: BUSY, incarnation: model.incarnations.at(-1) ?? 0 };
  const [erased] = await Promise.all([
    platform.identity.eraseUser({ appId: app.uuid, userId }),
    ...(next.what === 'eraseBeside' ? [send(world, gatewayIds[next.gateway], late)] : []),
  ]);
  await logIn(platform, app, userId);
  model.incarnations.push(erased.identity?.incarnation ?? 0);
  Object.assign(model, { recorded: false, chosen: AVAILABLE });
  model.holds.clear();
}

async function reportOne(world: World, next: Extract<Step, { what: 'report' }>): Promise<void> {
  const { gatewayIds, model } = world;
  const { connected, status, ago } = next;
  const incarnation = model.incarnations.at(-1 - ago) ?? 0;
  await send(world, gatewayIds[next.gateway], { connected, status, incarnation });
  const isArriving = connected === true || status !== UNSPECIFIED;
  if (isArriving && incarnation < (model.incarnations.at(-1) ?? 0)) return;
  if (connected === true) model.holds.add(next.gateway);
  if (connected === false) model.holds.delete(next.gateway);
  if (status !== UNSPECIFIED) model.chosen = status;
  model.recorded ||= isArriving;
}

type Fields = { connected: boolean | undefined; status: PresenceStatus; incarnation: number };

function send({ app, userId }: Holder, gatewayId: string | undefined, { connected, ...fields }: Fields) {
  const said = connected === undefined ? fields : { ...fields, connected };
  return platform.presences.reportPresences({
    gatewayId: gatewayId ?? '',
    reports: [{ appId: app.uuid, userId, ...said }],
  });
}

async function compare({ app, userId, model }: World): Promise<void> {
  const { presences } = await platform.presences.getPresences({ appId: app.uuid, userIds: [userId] });
  const expected = model.holds.size > 0 ? model.chosen : OFFLINE;
  expect(presences.map(({ status }) => status)).toEqual(model.recorded ? [expected] : []);
}

test('the presence is that of the present holder of a user id, whatever gateways report of earlier ones', async () => {
  const app = await createTestApp(platform);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (sequence) => {
      const userId = randomUUID();
      await logIn(platform, app, userId);
      const model: Model = { recorded: false, holds: new Set(), chosen: AVAILABLE, incarnations: [0] };
      const world = { app, userId, model, gatewayIds: Array.from({ length: GATEWAYS }, () => randomUUID()) };
      for (const next of sequence) {
        await take(world, next);
        await compare(world);
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);
