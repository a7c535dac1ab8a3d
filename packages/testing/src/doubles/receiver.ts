import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@parley/stack/until';

export type Received = {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  text: string;
  /** Which TCP connection it came by. */
  port: number;
};

/** A target that can be made to misbehave. */
export type Receiver = {
  url: string;
  /** Notifications, without verifications. */
  received: Received[];
  verifications: Received[];
  /** Answers notifications; default 200. */
  respond: (received: Received, response: ServerResponse) => void;
  /** Answers verifications; default: passes. */
  verify: (challenge: string, response: ServerResponse) => void;
  /** Resolves when there are as many notifications. */
  wait(count: number): Promise<Received[]>;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((req, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const url = new URL(req.url ?? '/', receiver.url);
      const { method = '', headers } = req;
      const text = Buffer.concat(chunks).toString();
      const received = { method, url, headers, text, port: req.socket.remotePort ?? 0 };
      const challenge = url.searchParams.get('verification_challenge');
      if (method === 'GET' && challenge !== null) {
        receiver.verifications.push(received);
        receiver.verify(challenge, response);
      } else {
        receiver.received.push(received);
        receiver.respond(received, response);
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A test that fails before it stops it must not keep the run alive.
  server.unref();
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    verifications: [],
    respond: (_received, response) => response.end('thanks'),
    verify: (challenge, response) => response.end(challenge),
    wait: (count) =>
      until(() => (receiver.received.length >= count ? receiver.received : undefined), {
        withinMs: 30_000,
        what: `${count} notifications come`,
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
