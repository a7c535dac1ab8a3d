import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { describeFailure } from '@parley/outbound/describe-failure';
import { createTargetClient, type TargetClient } from '@parley/outbound/client';
import { parseRanges } from '@parley/outbound/settings';

// Targets of several applications at one host and port, which speaks HTTP/2 and HTTP/1.1.

const rules = {
  allowedRanges: parseRanges()._parse('127.0.0.1/32'),
  allowedPorts: [],
  allowHttp: true,
};

type Front = {
  port: number;
  ca: string;
  /** Treats a new connection; default: it is served. */
  accept: (socket: Socket, serve: () => void) => void;
  connections: number;
  stop(): Promise<void>;
};

let front: Front;
let client: TargetClient;

beforeEach(async () => {
  front = await startFront();
  const resolve = () => Promise.resolve(['127.0.0.1']);
  client = createTargetClient(rules, { resolve, ca: front.ca, timeoutMs: 2000 });
});
afterEach(async () => {
  await client.close();
  await front.stop();
});

async function startFront(): Promise<Front> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: 'shared.example' }] }]; // prettier-ignore
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'shared.example' }], {
    extensions,
  });
  const server = createSecureServer({ key, cert, allowHTTP1: true }, answer);
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    made.connections += 1;
    made.accept(socket, () => server.emit('connection', socket));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const made: Front = {
    port: (listener.address() as AddressInfo).port,
    ca: cert,
    accept: (_, serve) => serve(),
    connections: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
  return made;
}

function answer(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const { url } = request;
  if (url === '/stalls') return;
  if (url !== '/resets') return void response.end('thanks');
  // In HTTP/2 a connection is a session; there is none in HTTP/1.1.
  const session: { destroy(): void } | undefined = request.stream?.session;
  if (session) session.destroy();
  else request.socket.destroy();
}

/** The status, or the reason why there is none. */
async function deliver(path: string): Promise<string> {
  const url = new URL(`https://shared.example:${front.port}${path}`);
  const request = { method: 'POST' as const, url, headers: {}, body: '{}', maxBytes: 100 };
  return client.send(request).then(({ status }) => String(status), describeFailure);
}

test('each of 13 targets at one origin gets its own outcome', async () => {
  const paths = Array.from({ length: 13 }, (_, index) =>
    index === 1 ? '/resets' : index % 2 === 0 ? '/stalls' : '/answers',
  );
  // In the second round connections of the first one are used again.
  for (let round = 0; round < 2; round += 1) {
    const outcomes = await Promise.all(paths.map(deliver));
    expect(outcomes.map((outcome, index) => `${paths[index]} ${outcome}`)).toEqual(
      paths.map((path) => {
        if (path === '/resets') return '/resets other side closed';
        return path === '/stalls' ? '/stalls no answer within 10 s' : '/answers 200';
      }),
    );
  }
});

test('a connection that is never established delays no other to its origin', async () => {
  front.accept = (_, serve) => void (front.connections > 1 && serve());
  const outcomes = await Promise.all(['/answers', '/resets', '/answers', '/answers'].map(deliver));
  expect(outcomes.toSorted()).toEqual(
    ['200', '200', 'no answer within 10 s', 'other side closed'].toSorted(),
  );
});
