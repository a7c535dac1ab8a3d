import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Rewire } from '@parley/stack/platform';
import { startNatsProxy, startTcpProxy, type NatsProxy, type TcpProxy } from '@parley/stack/testing';

/** A process's connections to NATS or to Postgres, or those of all its callers to it. */
export type Link = 'NATS' | 'Postgres' | 'RPC';

/** What stands between the processes of a platform and what they need, and their clocks. */
export type Wires = {
  rewire: Rewire;
  /** Undefined: the process has no such connections. */
  proxyOf(link: Link, name: string): Pick<TcpProxy, 'cut' | 'restore' | 'swallow' | 'delay'> | undefined;
  natsProxyOf(name: string): NatsProxy | undefined;
  /** Moves the clock of a process away from the machine's; 0: back to it. Milliseconds. */
  moveClock(name: string, aheadMs: number): void;
  stop(): Promise<void>;
};

const CLOCK = new URL('jumping-clock.ts', import.meta.url).href;
const ADDRESS = /^PARLEY_([A-Z]+)_ADDRESS$/;

export function createWires(): Wires {
  const nats = new Map<string, NatsProxy>();
  const postgres = new Map<string, TcpProxy>();
  const rpc = new Map<string, TcpProxy>();
  const clocks = mkdtempSync(path.join(tmpdir(), 'parley-clocks-'));
  const clockFile = (name: string) => path.join(clocks, name);

  async function natsFor(name: string, url: string): Promise<string> {
    const proxy = await startNatsProxy();
    proxy.connectTo(url);
    nats.set(name, proxy);
    return proxy.url;
  }

  async function postgresFor(name: string, url: string): Promise<string> {
    const byTcp = new URL(url);
    byTcp.searchParams.delete('host');
    const proxy = await startTcpProxy(byTcp.href);
    postgres.set(name, proxy);
    return proxy.url;
  }

  /** All callers of a process share its proxy. */
  async function rpcFor(kind: string, addresses: string): Promise<string> {
    const reached: string[] = [];
    for (const [index, address] of addresses.split(',').entries()) {
      const name = index === 0 ? kind : `${kind}-${index + 1}`;
      const proxy = rpc.get(name) ?? (await startTcpProxy(`tcp://${address}`));
      rpc.set(name, proxy);
      reached.push(new URL(proxy.url).host);
    }
    return reached.join(',');
  }

  return {
    rewire: async (name, env) => {
      const changed: Record<string, string> = {
        ...env,
        FAULTS_CLOCK_FILE: clockFile(name),
        NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import ${CLOCK}`,
      };
      writeFileSync(clockFile(name), '0');
      for (const [variable, value] of Object.entries(env)) {
        const kind = ADDRESS.exec(variable)?.[1]?.toLowerCase();
        if (kind) changed[variable] = await rpcFor(kind, value);
        if (variable === 'PARLEY_NATS_URL') changed[variable] = await natsFor(name, value);
        if (variable === 'PARLEY_DATABASE_URL') changed[variable] = await postgresFor(name, value);
      }
      return changed;
    },
    proxyOf: (link, name) => ({ NATS: nats, Postgres: postgres, RPC: rpc })[link].get(name),
    natsProxyOf: (name) => nats.get(name),
    moveClock: (name, aheadMs) => writeFileSync(clockFile(name), String(aheadMs)),
    async stop() {
      await Promise.all(
        [nats, postgres, rpc].flatMap((proxies) => [...proxies.values()].map((one) => one.stop())),
      );
      rmSync(clocks, { recursive: true, force: true });
    },
  };
}
