import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/testing';
import { readArguments } from './arguments.ts';
import { startCluster } from './cluster.ts';
import { rehearseFailover } from './failover.ts';
import { rehearseMoves } from './moves.ts';
import { rehearseRestore } from './restore.ts';
import { own } from './server.ts';
import { createRooms, startInCells, type World } from './world.ts';

// `npm run lab -- cells --bin <folder> [--messages 100000 --away 60 --only moves]`: a platform whose messaging is in four cells of a Citus cluster
// of its own, a coordinator and two nodes. Cells move while messages are sent and servers are killed; all servers are restored to one moment; a
// node is replaced by its standby. What was acknowledged has to be there once.
const { bin, messages, awayMs, parts } = readArguments(process.argv.slice(2));
const MAX_SHOWN = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'parley-cells-'));
own(folder);

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

async function rehearse(): Promise<string[]> {
  const cluster = await startCluster({ bin, folder });
  const databaseUrl = await cluster.createDatabase('parley_messaging');
  const own = { dataDir: path.join(folder, 'data'), port: await freePort(), databaseUrl };
  const platform = await startInCells(own);
  const world: World = { platform, databaseUrl, ...(await createRooms(platform)) };
  say('the platform runs in four cells');
  try {
    const faults: string[] = [];
    if (parts.includes('moves'))
      faults.push(...(await rehearseMoves(world, cluster, { messages, awayMs, say })));
    for (const { listener } of world.listeners) await listener.stop();
    if (parts.includes('restore'))
      faults.push(...(await rehearseRestore(world, cluster, { say, restart: () => startInCells(own) })));
    if (parts.includes('failover')) faults.push(...(await rehearseFailover(world, cluster, say)));
    return faults;
  } finally {
    await world.platform.discard();
    await cluster.stop();
  }
}

const faults = await rehearse().finally(() => rmSync(folder, { recursive: true, force: true }));
for (const fault of faults.slice(0, MAX_SHOWN)) say(`BROKEN: ${fault}`);
say(`${faults.length} promises broken`);
process.exit(faults.length > 0 ? 1 : 0);
