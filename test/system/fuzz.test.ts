import { createProcessCheck, describeFault } from '../fuzz/report.ts';
import { fuzz } from '../fuzz/run.ts';
import { ownPlatform, type OwnPlatform } from '../support/own-platform.ts';

// A minute's worth of fixed cases; `npm run fuzz` tries others, and more.
const CASES = 25_000;
const SEED = 20_261_122;

let own: OwnPlatform;

beforeAll(async () => {
  own = await ownPlatform({ durable: false });
}, 120_000);
afterAll(() => own.stop());

test('nothing that a client sends ends a process or is answered with an internal error', async () => {
  const checkProcesses = createProcessCheck(() => own.running.state.processes);
  const faults = await fuzz({ platform: own, cases: CASES, seed: SEED, progress: checkProcesses });
  expect(faults.map(describeFault)).toEqual([]);
}, 600_000);
