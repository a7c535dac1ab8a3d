import { rmSync } from 'node:fs';
import { freePort, isPortFree } from '../free-port.ts';
import type { PlatformOptions } from '../platform.ts';
import type { Wiring } from './catalog.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import { lastLoginPort, type DemoApp } from './demo-app.ts';
import type { Description } from './describe.ts';
import type { DataFolder } from './folder.ts';
import { removeKept } from './fresh.ts';
import { describeInfra } from './infra.ts';
import { endLeftovers } from './run-folder.ts';
import { obtainSecrets } from './secrets.ts';
import { SITE_FOLDER } from './site.ts';
import { listProcesses, type PlatformState } from './state.ts';

export type Plan = Omit<Description, 'entries'>;

/** Ends and removes leftovers of earlier starts, and chooses addresses and secrets. */
export async function makePlan(options: PlatformOptions, folder: DataFolder): Promise<Plan> {
  rmSync(folder.state, { force: true });
  const ended = await endLeftovers(folder.runs);
  if (ended > 0) options.report?.(`ended ${ended} processes that an earlier start had left`);
  if (options.fresh) removeKept(folder);
  const secrets = obtainSecrets(folder.secrets);
  const baseUrl = `http://127.0.0.1:${options.port}`;
  const demoPort = (options.demo ?? true) ? await chooseLoginPort(folder) : undefined;
  const loginUrl = demoPort === undefined ? undefined : `http://127.0.0.1:${demoPort}`;
  const site = options.site ? { folder: SITE_FOLDER, loginUrl } : undefined;
  const consoleApart = (options.replicas?.['console-server'] ?? 0) > 0;
  const wiring: Wiring = { baseUrl, secrets, dataDir: folder.root, site, consoleApart };
  const infra = await describeInfra({
    folder,
    secrets,
    durable: options.durable ?? true,
    natsUsers: options.natsUsers ?? true,
    recordsStatements: options.recordsStatements ?? false,
  });
  const { replicas = {}, env = {}, rewire, port, yieldsProcessors = true } = options;
  return { replicas, env, rewire, wiring, infra, httpPort: port, demoPort, yieldsProcessors };
}

/** Chooses the port of the last start, if it is free: pages may be open that log in there. */
async function chooseLoginPort(folder: DataFolder): Promise<number> {
  const last = lastLoginPort(folder);
  return last !== undefined && (await isPortFree(last)) ? last : freePort();
}

function operatorsUrl({ natsUrl, natsPassword }: Plan['infra']): string {
  const password = natsPassword('operator');
  return password === undefined ? natsUrl : natsUrl.replace('//', `//operator:${password}@`);
}

export function stateOf(
  { wiring, infra }: Plan,
  supervisor: Supervisor,
  demo: DemoApp | undefined,
): PlatformState {
  return {
    base_url: wiring.baseUrl,
    admin_token: wiring.secrets.admin_token,
    processes: listProcesses(supervisor.members),
    postgres_url: infra.postgresUrl,
    nats_url: operatorsUrl(infra),
    ...(demo && { demo }),
  };
}
