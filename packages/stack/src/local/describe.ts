import { readConfig } from '../config.ts';
import { freePort, isPortFree } from '../free-port.ts';
import type { CatalogEntry, Wiring } from './catalog.ts';
import type { Infra } from './infra.ts';
import type { ProcessDefinition } from './supervisor/process-definition.ts';

// Like --enable-source-maps, but reads the map at the first error instead of at the logger's first call, which took 0.15 s.
const MAP_SOURCES = 'data:text/javascript,process.setSourceMapsEnabled(true)';

/** '*' is for all processes; a process's own name (a replica's: messaging-2) wins. */
export type EnvOverrides = Record<string, Record<string, string>>;

/** Given a process's name and all of its environment, returns the environment that it gets. */
export type Rewire = (name: string, env: Record<string, string>) => Promise<Record<string, string>>;

export type Description = {
  entries: CatalogEntry[];
  replicas: Record<string, number>;
  env: EnvOverrides;
  rewire?: Rewire | undefined;
  wiring: Wiring;
  infra: Infra;
  /** Whether processes of the background get only what others leave of the processors. */
  yieldsProcessors: boolean;
  /** Port of the first gateway; all other ports are picked. */
  httpPort: number;
  /** Port of the demo application's login backend, if it is free. */
  demoPort?: number | undefined;
};

type Placed = { entry: CatalogEntry; name: string; ports: ProcessDefinition['ports'] };

/** Gives every replica its ports, then every process the addresses of all. */
export async function describeProcesses(description: Description): Promise<ProcessDefinition[]> {
  const placed: Placed[] = [];
  for (const entry of description.entries) {
    const replicas = description.replicas[entry.name] ?? entry.replicas ?? 1;
    for (let replica = 1; replica <= replicas; replica++) {
      const name = replica === 1 ? entry.name : `${entry.name}-${replica}`;
      placed.push({ entry, name, ports: await pickPorts(name, entry, description) });
    }
  }
  const addresses = addressesOf(placed);
  const urls = urlsOf(placed);
  const definitions: ProcessDefinition[] = [];
  for (const one of placed) definitions.push(await define(one, { ...addresses, ...urls }, description));
  return definitions;
}

async function pickPorts(
  name: string,
  entry: CatalogEntry,
  { httpPort, demoPort }: Description,
): Promise<ProcessDefinition['ports']> {
  const ports: ProcessDefinition['ports'] = {};
  const wanted: Record<string, number | undefined> = {
    gateway: httpPort,
    content: httpPort + 1,
    demo: demoPort,
  };
  for (const port of entry.ports) ports[port] = await pickPort(port === 'http' ? wanted[name] : undefined);
  return ports;
}

// The first gateway's own port is known to be free, and no other call gets the port after it. Addresses of uploads outlive
// a restart if the port is the same again.
async function pickPort(wanted: number | undefined): Promise<number> {
  return wanted !== undefined && (await isPortFree(wanted)) ? wanted : freePort();
}

// PARLEY_MESSAGING_ADDRESS=127.0.0.1:…,127.0.0.1:… and so on.
function addressesOf(placed: Placed[]): Record<string, string> {
  const lists = new Map<string, string[]>();
  for (const { entry, ports } of placed) {
    if (ports.rpc === undefined) continue;
    const variable = `PARLEY_${entry.name.toUpperCase()}_ADDRESS`;
    lists.set(variable, [...(lists.get(variable) ?? []), `127.0.0.1:${ports.rpc}`]);
  }
  return Object.fromEntries([...lists].map(([variable, list]) => [variable, list.join(',')]));
}

// PARLEY_CONTENT_URL=http://127.0.0.1:…: the first of a service that clients reach by themselves.
function urlsOf(placed: Placed[]): Record<string, string> {
  const urls = placed
    .filter(
      ({ entry, name, ports }) => entry.kind === 'service' && ports.http !== undefined && name === entry.name,
    )
    .map(
      ({ name, ports }) => [`PARLEY_${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports.http}`] as const,
    );
  return Object.fromEntries(urls);
}

async function define(
  { entry, name, ports }: Placed,
  addresses: Record<string, string>,
  { env, rewire, wiring, infra, yieldsProcessors }: Description,
): Promise<ProcessDefinition> {
  const natsPassword = infra.natsPassword(entry.name);
  const given: Record<string, string> = {
    NODE_ENV: 'production',
    ...addresses,
    PARLEY_NATS_URL: infra.natsUrl,
    ...(natsPassword !== undefined && { PARLEY_NATS_PASSWORD: natsPassword }),
    PARLEY_RPC_SECRET: wiring.secrets.rpc_secret,
    PARLEY_METRICS_PORT: '0',
    // Calls and metrics; the gateway and the content service serve clients on all addresses.
    PARLEY_INTERNAL_HOST: '127.0.0.1',
    ...(entry.database && { PARLEY_DATABASE_URL: infra.databaseUrl(`parley_${entry.name}`) }),
    ...(ports.http !== undefined && { [entry.httpPortVariable ?? 'PARLEY_HTTP_PORT']: String(ports.http) }),
    ...(ports.rpc !== undefined && { PARLEY_RPC_PORT: String(ports.rpc) }),
    ...entry.env?.(wiring),
    ...env['*'],
    ...env[entry.name],
    ...env[name],
  };
  const own = rewire ? await rewire(name, given) : given;
  return {
    name,
    kind: entry.kind,
    ports,
    stopSignal: 'SIGTERM',
    stopWithinMs: 27_000,
    inBackground: yieldsProcessors && (entry.inBackground ?? false),
    command: () =>
      Promise.resolve({
        file: process.execPath,
        args: ['--import', MAP_SOURCES, entry.entry],
        env: { ...readConfig().inherited, ...own },
      }),
  };
}
