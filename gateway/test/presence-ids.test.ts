import { createRouterTransport } from '@connectrpc/connect';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { close, upgrade } from './support/sockets.ts';

let gateway: TestGateway;

beforeAll(async () => {
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport });
});
afterAll(() => gateway.stop());

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);

test('a socket subscribes to the presence of at most a thousand users by name', async () => {
  const opened = await upgrade(gateway.baseUrl, SESSION_TOKEN);
  async function subscribe(ids: string[]): Promise<unknown> {
    const answered = new Promise<string>((resolve) =>
      opened.socket.once('message', (data: Buffer) => resolve(data.toString())),
    );
    const body = { request_id: '1', method: 'Presence.subscribe', data: { ids } };
    opened.socket.send(JSON.stringify({ type: 'request', body }));
    return (JSON.parse(await answered) as { body: unknown }).body;
  }
  const refusal = { id: 'invalid_operation', data: { property: 'ids', limit: 1_000 } };
  expect(await subscribe(names(0, 1_001))).toMatchObject({ data: { id: 'invalid_property' } });
  expect(await subscribe(names(0, 600))).toMatchObject({ success: true });
  expect(await subscribe(names(500, 1_100))).toMatchObject({ success: false, data: refusal });
  expect(await subscribe(names(500, 1_000))).toMatchObject({ success: true });
  await close(opened);
});
