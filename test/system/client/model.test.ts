import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { runCampaign } from '../../../lab/model/campaign.ts';

/** Seed of the same scenarios in each run, so that a failure is due to the tested change; CLIENT_MODEL_SEED selects others. */
const USUAL_SEED = 20_261_122;
const SCENARIOS = 200;

let platform: OwnPlatform;

beforeAll(async () => {
  platform = await ownPlatform();
}, 60_000);
afterAll(() => platform.stop());

test('devices of 200 random scenarios agree with REST, and every send is settled once', async () => {
  const seed = Number(process.env['CLIENT_MODEL_SEED'] ?? USUAL_SEED);
  const { failures, kills } = await runCampaign({ platform, seed, count: SCENARIOS, atOnce: 8 });
  expect(failures.slice(0, 3)).toEqual([]);
  expect(kills).toBeGreaterThan(1);
}, 240_000);
