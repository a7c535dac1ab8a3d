import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPlatform } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import { compareAnswers, createAnswerLog } from './answers.ts';
import { findGrowth } from './growth/run.ts';
import { describeFault, createProcessCheck } from './report.ts';
import { fuzz } from './run.ts';

// `npm run lab -- fuzz --cases 1000000 --seed 7`: generated requests and packets against the real processes on this machine.
// Prints the seed and the case of each failure; the exit code says whether there was one. `npm run lab -- fuzz --growth` makes one
// dimension of every request larger instead, and prints requests whose processor time grows faster than their size. `--answers FILE`
// writes what is answered to each case; `--compare BEFORE --with AFTER` prints the cases that two commits answer otherwise, where
// `--without 'GET /ping'` leaves out an operation that one of them does not have, so that both get the same cases.
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    growth: { type: 'boolean', default: false },
    answers: { type: 'string' },
    compare: { type: 'string' },
    with: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
  },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed))
  throw new Error('--cases and --seed are whole numbers');

if (values.compare !== undefined && values.with !== undefined) {
  const differences = compareAnswers(values.compare, values.with);
  process.stdout.write([...differences, `${differences.length} cases are answered otherwise`, ''].join('\n'));
  process.exit(differences.length > 0 ? 1 : 0);
}

const log = values.answers === undefined ? undefined : createAnswerLog(values.answers);
const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-fuzz-'));
const running = await startPlatform({
  dataDir,
  port: await freePort(),
  durable: false,
  demo: false,
  env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } },
});
const checkProcesses = createProcessCheck(() => running.state.processes);
const platform = { baseUrl: running.baseUrl, adminToken: running.state.admin_token };
let told = 0;
let ended = false;
let summary = '';
try {
  if (values.growth)
    for await (const excess of findGrowth(running, platform, checkProcesses)) {
      told += 1;
      process.stdout.write(`${excess}\n`);
    }
  else
    await fuzz({
      ...{ platform, cases, seed, log, without: values.without },
      progress(done, faults, answers) {
        for (const fault of faults.slice(told)) process.stdout.write(`${describeFault(fault)}\n`);
        told = faults.length;
        process.stderr.write(`${done} cases, ${told} failures\n`);
        summary = [...answers]
          .sort(([, a], [, b]) => b - a)
          .map(([answer, count]) => `${answer}: ${count}`)
          .join(', ');
        checkProcesses();
      },
    });
} catch (error) {
  ended = true;
  process.stdout.write(`seed ${seed}: ${String(error)}\n`);
} finally {
  process.stdout.write(`answers: ${summary}\n`);
  await log?.end();
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(told > 0 || ended ? 1 : 0);
