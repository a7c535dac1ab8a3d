import { readConfig } from '../config.ts';
import { compareWithEjabberd } from './beside/main.ts';
import { runScenarios } from './run.ts';

// `npm run lab -- bench [name …]`: measures the real processes on this machine, with durable commits. PARLEY_BENCH_SCALE
// shortens or lengthens it; names choose scenarios. `npm run lab -- bench beside-ejabberd` measures ejabberd in turn with them.
// docs/performance.md says what the options do.
const given = process.argv.slice(2).filter((word) => word !== '--');
const { benchScale: scale, ejabberd } = readConfig();

if (given[0] === 'beside-ejabberd')
  process.exit(await compareWithEjabberd(given.slice(1), { scale, ejabberd }));
await runScenarios(given, scale);
