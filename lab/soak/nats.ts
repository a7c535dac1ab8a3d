import type { PlatformState } from '@parley/stack/platform';

export type Nats = {
  memoryMiB: number;
  connections: number;
  subscriptions: number;
  /** Messages of all streams together. */
  messages: number;
  bytes: number;
};

/** Reads the state of NATS from the monitoring port of the server. */
export async function readNats({ processes }: PlatformState): Promise<Nats> {
  const port = processes.find(({ name }) => name === 'nats')?.http_port;
  const read = async (page: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/${page}`)).json()) as Record<string, number>;
  const [server, streams] = [await read('varz'), await read('jsz')];
  return {
    memoryMiB: (server['mem'] ?? 0) / 2 ** 20,
    connections: server['connections'] ?? 0,
    subscriptions: server['subscriptions'] ?? 0,
    messages: streams['messages'] ?? 0,
    bytes: streams['bytes'] ?? 0,
  };
}
