import type { Rewire } from '@parley/stack/platform';
import {
  startNatsProxy,
  startPostgresProxy,
  startTcpProxy,
  type NatsProxy,
  type PostgresProxy,
  type TcpProxy,
} from '@parley/testing';
import { createClocks } from './clocks.ts';

/** Connections of a process to NATS or to Postgres, or to it from a caller; without a caller, from all of them. */
export type Connection = { link: 'NATS' | 'Postgres'; name: string } | Calls;
export type Calls = { link: 'RPC'; name: string; caller?: string };

type Proxy = Pick<TcpProxy, 'cut' | 'restore' | 'swallow' | 'delay'>;

/** The proxies between the processes of a platform and their servers, and the clocks of the processes. */
export type Wires = {
  rewire: Rewire;
  /** None: there are no such connections. */
  proxiesOf(connection: Connection): Proxy[];
  natsProxyOf(name: string): NatsProxy | undefined;
  postgresProxyOf(name: string): PostgresProxy | undefined;
  /** Moves the clock of a process away from the machine's; 0: back to it. Milliseconds. */
  moveClock(name: string, aheadMs: number): void;
  stop(): Promise<void>;
};

const ADDRESS = /^PARLEY_([A-Z]+)_ADDRESS$/;

export function createWires(): Wires {
  const nats = new Map<string, NatsProxy>();
  const postgres = new Map<string, PostgresProxy>();
  /** Proxies by the name of the called process, then by that of the caller. */
  const rpc = new Map<string, Map<string, TcpProxy>>();
  const clocks = createClocks();

  async function natsFor(name: string, url: string): Promise<string> {
    const proxy = await startNatsProxy();
    proxy.connectTo(url);
    nats.set(name, proxy);
    return proxy.url;
  }

  async function postgresFor(name: string, url: string): Promise<string> {
    const byTcp = new URL(url);
    byTcp.searchParams.delete('host');
    const proxy = await startPostgresProxy(byTcp.href);
    postgres.set(name, proxy);
    return proxy.url;
  }

  /** Each pair of a caller and a called process has a proxy. */
  async function rpcFor(caller: string, kind: string, addresses: string): Promise<string> {
    const reached: string[] = [];
    for (const [index, address] of addresses.split(',').entries()) {
      const name = index === 0 ? kind : `${kind}-${index + 1}`;
      const proxy = await startTcpProxy(`tcp://${address}`);
      rpc.set(name, (rpc.get(name) ?? new Map<string, TcpProxy>()).set(caller, proxy));
      reached.push(new URL(proxy.url).host);
    }
    return reached.join(',');
  }

  return {
    rewire: async (name, env) => {
      const changed = clocks.add(name, env);
      for (const [variable, value] of Object.entries(env)) {
        const kind = ADDRESS.exec(variable)?.[1]?.toLowerCase();
        if (kind) changed[variable] = await rpcFor(name, kind, value);
        if (variable === 'PARLEY_NATS_URL') changed[variable] = await natsFor(name, value);
        if (variable === 'PARLEY_DATABASE_URL') changed[variable] = await postgresFor(name, value);
      }
      return changed;
    },
    proxiesOf: (on) =>
      on.link === 'RPC'
        ? callsThrough(rpc, on)
        : [{ NATS: nats, Postgres: postgres }[on.link].get(on.name)].filter((one) => !!one),
    natsProxyOf: (name) => nats.get(name),
    postgresProxyOf: (name) => postgres.get(name),
    moveClock: clocks.move,
    async stop() {
      const all = [
        ...nats.values(),
        ...postgres.values(),
        ...[...rpc.values()].flatMap((one) => [...one.values()]),
      ];
      await Promise.all(all.map((one) => one.stop()));
      clocks.stop();
    },
  };
}

function callsThrough(
  rpc: ReadonlyMap<string, ReadonlyMap<string, TcpProxy>>,
  { name, caller }: Calls,
): Proxy[] {
  const callers = [...(rpc.get(name) ?? [])];
  return callers.filter(([one]) => caller === undefined || one === caller).map(([, proxy]) => proxy);
}
