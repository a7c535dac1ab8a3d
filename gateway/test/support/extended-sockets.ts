import { once } from 'node:events';
import { until as untilDefined } from '@parley/testing';
import { WebSocket } from 'ws';
import { SESSION_TOKEN } from './identity.ts';

export type Packet = { type: string; counter: number; timestamp: string; body: Record<string, unknown> };
export type Upgrade = { query?: string; path?: string; headers?: Record<string, string> };
export type Client = {
  socket: WebSocket;
  packets: Packet[];
  closed: Promise<{ code: number; reason: string }>;
};

export const WITH_TOKEN: Upgrade = { query: `?session_token=${SESSION_TOKEN}` };
export const BOTH_SUBPROTOCOLS = ['svc-3.0', 'svc-3.1'];

/** Clients of a gateway, which keep what they receive. */
export function createClients(baseUrl: () => string) {
  const sockets: WebSocket[] = [];

  function connect(
    protocols: string[],
    { query = '', path = '/websocket', headers = {} }: Upgrade = {},
  ): Client {
    const url = `${baseUrl().replace('http', 'ws')}${path}${query}`;
    const socket = new WebSocket(url, protocols, { headers, perMessageDeflate: false });
    sockets.push(socket);
    const packets: Packet[] = [];
    socket.on('message', (data) => packets.push(JSON.parse((data as Buffer).toString()) as Packet));
    socket.on('error', () => undefined);
    const closed: Client['closed'] = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    return { socket, packets, closed };
  }

  return {
    connect,
    /** A client whose `hello` has arrived. */
    async greeted(protocols = BOTH_SUBPROTOCOLS, upgrade: Upgrade = WITH_TOKEN): Promise<Client> {
      const client = connect(protocols, upgrade);
      await packetsOf(client, 1);
      return client;
    },
    terminateAll(): void {
      for (const socket of sockets.splice(0)) socket.terminate();
    },
  };
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await untilDefined(async () => ((await holds()) ? true : undefined), { withinMs: 8_000, what });
}

export async function packetsOf({ packets }: Client, count: number): Promise<Packet[]> {
  await until(() => packets.length >= count, `${count} packets`);
  return packets;
}

/** The status of an upgrade that is refused by HTTP. */
export async function refusedStatus({ socket }: Client): Promise<number | undefined> {
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  return response.statusCode;
}
