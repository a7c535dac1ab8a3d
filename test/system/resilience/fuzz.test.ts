import { createProcessCheck, describeFault } from '../../../lab/fuzz/report.ts';
import { fuzz, type Answers } from '../../../lab/fuzz/run.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

// A minute's worth of fixed cases; `npm run lab -- fuzz` tries others, and more.
const CASES = 25_000;
const SEED = 20_261_122;
/**
 * The seed gives about 3,300 answers with 2xx and 970 packets with success. With far fewer, the cases are refused before
 * they reach the code that they are to try.
 */
const LEAST_SUCCESSES = { http: 2_000, socket: 500 };

let own: OwnPlatform;

beforeAll(async () => {
  own = await ownPlatform({ durable: false });
}, 120_000);
afterAll(() => own.stop());

test('nothing that a client sends ends a process or is answered with an internal error', async () => {
  const checkProcesses = createProcessCheck(() => own.running.state.processes);
  let answers: Answers = new Map();
  const progress = (_: number, __: unknown, soFar: Answers): void => {
    answers = soFar;
    checkProcesses();
  };
  const faults = await fuzz({ platform: own, cases: CASES, seed: SEED, progress });
  expect(faults.map(describeFault)).toEqual([]);
  const { http, socket } = countSuccesses(answers);
  expect(http).toBeGreaterThan(LEAST_SUCCESSES.http);
  expect(socket).toBeGreaterThan(LEAST_SUCCESSES.socket);
}, 600_000);

/** Counts the HTTP requests answered with 2xx, and the packets answered with success. */
function countSuccesses(answers: Answers): { http: number; socket: number } {
  let http = 0;
  for (const [answer, count] of answers) if (/^2\d\d$/.test(answer)) http += count;
  return { http, socket: answers.get('success') ?? 0 };
}
