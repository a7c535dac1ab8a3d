import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform } from '@parley/stack/platform';
import { freePort } from '@parley/stack/testing';
import { createBench, type Bench } from './bench.ts';
import { announcements } from './scenarios/announcements.ts';
import { content } from './scenarios/content.ts';
import { scheduled, hotConversation, idleSockets, receipts, replay } from './scenarios/crowd.ts';
import { historicalExport } from './scenarios/exports.ts';
import { fairness } from './scenarios/fairness.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { restFloor, socketFloor } from './scenarios/floor.ts';
import { history } from './scenarios/history.ts';
import { deliveryLatency, restSends, socketSends } from './scenarios/sends.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { table, type Figures } from './stats.ts';

// `npm run bench [-- name …]`: measures the real processes on this machine, with durable commits. PARLEY_BENCH_SCALE
// shortens or lengthens it; names choose scenarios.
const scenarios: Record<string, (bench: Bench) => Promise<Figures[]>> = {
  'rest-floor': restFloor,
  'socket-floor': socketFloor,
  rest: restSends,
  socket: socketSends,
  latency: deliveryLatency,
  'fan-out-100': fanOut(100),
  'fan-out-250': fanOut(250),
  'fan-out-1000': fanOut(1000),
  receipts,
  'hot-conversation': hotConversation,
  replay,
  'idle-sockets': idleSockets,
  scheduled,
  history,
  announcements,
  content,
  webhooks,
  export: historicalExport,
  ...fairness,
};
const groups: Record<string, string[]> = { fairness: Object.keys(fairness) };

const chosen = process.argv
  .slice(2)
  .filter((name) => name !== '--')
  .flatMap((name) => groups[name] ?? name);
const unknown = chosen.filter((name) => !(name in scenarios));
if (unknown.length > 0)
  throw new Error(
    `no scenario ${unknown.join(', ')}; there are ${Object.keys({ ...groups, ...scenarios }).join(', ')}`,
  );

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
const running = await startPlatform({
  dataDir,
  port: await freePort(),
  demo: false,
  env: {
    '*': {
      PARLEY_RATE_LIMIT_FACTOR: '0',
      PARLEY_MAX_PARTICIPANTS: '2000',
      PARLEY_MAX_SOCKETS_PER_USER: '1000',
    },
  },
});
try {
  const rows: Figures[] = [];
  for (const [name, run] of Object.entries(scenarios)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await run(await createBench(running, Number(process.env['PARLEY_BENCH_SCALE'] ?? 1)))));
  }
  process.stdout.write(`${table(rows)}\n`);
} finally {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
