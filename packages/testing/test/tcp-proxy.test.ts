import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTcpProxy, until, type TcpProxy } from '@parley/testing';

let echo: Server;
let proxy: TcpProxy;
let client: Socket;
let received: string;

beforeEach(async () => {
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`);
  received = '';
  const accepted = once(echo, 'connection');
  client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  client.on('data', (bytes) => (received += String(bytes))).on('error', () => undefined);
  await Promise.all([accepted, once(client, 'connect')]);
});
afterEach(async () => {
  client.destroy();
  await proxy.stop();
  echo.close();
});

async function untilReceived(text: string): Promise<void> {
  await until(() => Promise.resolve(received === text || undefined), { withinMs: 10_000, what: text });
}

test('what is delayed arrives later, in its order', async () => {
  proxy.delay(100);
  const start = performance.now();
  client.write('one ');
  client.write('two ');
  await untilReceived('one two ');
  expect(performance.now() - start).toBeGreaterThanOrEqual(190);
  proxy.delay(0);
  client.write('three');
  await untilReceived('one two three');
});

test('what is swallowed does not arrive, and the connection stays open', async () => {
  proxy.swallow();
  client.write('lost');
  const other = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  other.write('answered');
  const [answer] = (await once(other, 'data')) as [Buffer];
  other.destroy();
  expect(String(answer)).toBe('answered');
  expect({ received, open: !client.destroyed }).toEqual({ received: '', open: true });
});

test('a cut ends connections and refuses others until it is over', async () => {
  proxy.cut();
  await once(client, 'close');
  const refused = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => undefined);
  await once(refused, 'close');
  proxy.restore();
  const other = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  other.write('answered');
  expect(String(((await once(other, 'data')) as [Buffer])[0])).toBe('answered');
  other.destroy();
});

/** The server's side of the connection of `client`, which has sent and received something. */
async function serversEnd(): Promise<Socket> {
  const accepted = once(echo, 'connection');
  client = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => undefined);
  client.write('first');
  const [[end]] = (await Promise.all([accepted, once(client, 'data')])) as [[Socket], unknown];
  return end;
}

/** Collects the bytes that one side gets from now on. */
function gather(socket: Socket): string[] {
  const got: string[] = [];
  socket.on('data', (bytes) => void got.push(String(bytes)));
  return got;
}

test('what is swallowed on its way to the server is what the client sends, its end included', async () => {
  const end = await serversEnd();
  proxy.swallow('toServer');
  const got = gather(end);
  client.write('lost');
  end.write('heard');
  expect(String((await once(client, 'data'))[0])).toBe('heard');
  client.destroy();
  await once(client, 'close');
  const other = await serversEnd();
  expect({ got, isOpen: !end.destroyed, ofOther: other.destroyed }).toEqual({
    got: [],
    isOpen: true,
    ofOther: false,
  });
});

test('what is swallowed on its way to the client is what the server sends', async () => {
  const end = await serversEnd();
  proxy.swallow('toClient');
  const got = gather(client);
  client.write('heard');
  expect(String((await once(end, 'data'))[0])).toBe('heard');
  await serversEnd();
  expect(got).toEqual([]);
});
