import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { pipeline } from 'node:stream/promises';

export type TurnsProxy = {
  /** Requests that each gateway got, in the order of `addresses`. */
  counts: number[];
  stop(): Promise<void>;
};

/** Passes requests on to several gateways in turn, so that hardly two of one page reach the same one. */
export async function startTurnsProxy(port: number, addresses: readonly string[]): Promise<TurnsProxy> {
  const counts = addresses.map(() => 0);
  let turn = 0;
  const server = createServer((req, res) => {
    const index = turn++ % addresses.length;
    counts[index] = (counts[index] ?? 0) + 1;
    const { hostname, port: to } = new URL(addresses[index] ?? '');
    const options = { hostname, port: to, method: req.method, path: req.url, headers: req.headers };
    const passed = send(options, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, res).catch(() => res.destroy());
    });
    pipeline(req, passed).catch(() => res.destroy());
    passed.on('error', () => res.destroy());
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    counts,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
