import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTcpProxy, until, type TcpProxy } from '@parley/stack/testing';

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
  client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  client.on('data', (bytes) => (received += String(bytes))).on('error', () => undefined);
  await once(client, 'connect');
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
