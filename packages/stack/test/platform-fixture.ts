import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPlatform, type CatalogEntry, type Platform, type PlatformOptions } from '../src/platform.ts';
import { freePort } from '../src/free-port.ts';
import { processFolder } from '../src/process-folder.ts';

const entry = fileURLToPath(new URL('./fixture/process.mjs', import.meta.url));

export const fixtureCatalog: CatalogEntry[] = [
  { name: 'messaging', kind: 'service', entry, ports: ['rpc'], database: true },
  { name: 'gateway', kind: 'gateway', entry, ports: ['http'] },
];

export type About = { pid: number; child: number; env: Record<string, string> };

export function newDataDir(): string {
  return mkdtempSync(path.join(processFolder(), 'platform-'));
}

export async function startFixture(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  return startPlatform({
    dataDir: newDataDir(),
    port: await freePort(),
    catalog: fixtureCatalog,
    demo: false,
    durable: false,
    ...options,
  });
}

export async function about(port: number): Promise<About> {
  return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as About;
}

export function readState(dataDir: string): Platform['state'] {
  return JSON.parse(readFileSync(path.join(dataDir, 'state.json'), 'utf8')) as Platform['state'];
}

export function pidOf(state: Platform['state'], name: string): number {
  const found = state.processes.find((process) => process.name === name);
  if (!found) throw new Error(`${name} is not in the state`);
  return found.pid;
}
