import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Door } from '../limits/refusal-counter.ts';
import type { HttpParts } from '../parts.ts';
import type { ExchangeCaller } from './caller.ts';
import { createHoldRefusals, type HoldRefusals } from './held-answers.ts';

const USER = { appId: 'app', userId: 'ann', tokenId: 's1' };

type Take = (asked: { req: IncomingMessage; res: ServerResponse }) => void;

let server: Server;
let take: Take;
let counted: string[];
let errors: unknown[];
let hold: HoldRefusals;

beforeEach(async () => {
  counted = [];
  errors = [];
  hold = createHoldRefusals({
    limits: {
      refusals: { count: (door: Door, caller: string) => (counted.push(`${door} ${caller}`), false) },
      addressOf: () => '192.0.2.1',
    },
    log: { error: (error: unknown) => errors.push(error) },
  } as unknown as HttpParts);
  server = createServer((req, res) => take({ req, res }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function answersOn(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  const all = () => text.match(/HTTP\/1\.1 \d+/g) ?? [];
  while (all().length < count) text += ((await once(socket, 'data')) as [Buffer])[0].toString();
  return all();
}

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody';

/** When a request is refused: before its body is read, or after. */
const REFUSED: Record<string, (req: IncomingMessage, refuse: () => void) => void> = {
  'at its head': (_, refuse) => refuse(),
  'after a look-up': (_, refuse) => void setImmediate(refuse),
  'after its body': (req, refuse) => void req.on('end', refuse).resume(),
};

const rows = Object.keys(REFUSED).flatMap((when) => [
  ['GET', when, GET] as const,
  ['POST', when, POST] as const,
]);

test.each(rows)('of %s requests refused %s none is handled while one waits', async (_, when, request) => {
  let handled = 0;
  const handledAtAnswers: number[] = [];
  const first = Promise.withResolvers<void>();
  take = ({ req, res }) => {
    handled += 1;
    REFUSED[when]!(req, () => {
      hold({ req, res, status: 429, caller: USER }, () => {
        handledAtAnswers.push(handled);
        res.writeHead(429).end();
      });
      setImmediate(first.resolve);
    });
  };
  const socket = await open();
  socket.write(request);
  await first.promise;
  for (let more = 0; more < 5; more += 1) socket.write(request);
  expect(await answersOn(socket, 6)).toEqual(Array(6).fill('HTTP/1.1 429'));
  expect(handledAtAnswers[0]).toBe(1);
  // The connection is kept.
  take = ({ res }) => res.writeHead(204).end();
  socket.write(request);
  expect(await answersOn(socket, 1)).toEqual(['HTTP/1.1 204']);
});

test('an answer that fails when its turn comes closes its connection alone', async () => {
  take = ({ req, res }) =>
    hold({ req, res, status: 429, caller: USER }, () => {
      if (req.url === '/fails') throw new Error('no answer');
      res.writeHead(429).end();
    });
  const [failing, other] = await Promise.all([open(), open()]);
  failing.on('error', () => undefined);
  const closed = once(failing.resume(), 'close');
  failing.write(GET.replace('/', '/fails'));
  other.write(GET);
  await closed;
  expect(await answersOn(other, 1)).toEqual(['HTTP/1.1 429']);
  expect(errors).toEqual([{ error: expect.objectContaining({ message: 'no answer' }) as unknown }]);
});

test.each<[string, ExchangeCaller | undefined, string]>([
  ['a user', USER, 'http user app/ann'],
  ['a server', { appId: 'app', userId: '', tokenId: 't1' }, 'http token t1'],
  ['another server', { appId: 'app', userId: '', tokenId: 't2' }, 'http token t2'],
  ['a caller without a token', undefined, 'http address 192.0.2.1'],
])('refusals of %s count by themselves', async (_, caller, key) => {
  take = ({ req, res }) => {
    hold({ req, res, status: 429, caller }, () => undefined);
    res.writeHead(429).end();
  };
  const socket = await open();
  socket.write(GET);
  await answersOn(socket, 1);
  expect(counted).toEqual([key]);
});
