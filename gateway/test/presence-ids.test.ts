import { createRouterTransport } from '@connectrpc/connect';
import { startGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { close, upgrade } from './support/sockets.ts';

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);

test.each([
  ['a thousand users by default', 1_000, {}],
  ['as many users as its setting says', 2_000, { PARLEY_MAX_PRESENCE_IDS: '2000' }],
])('a socket subscribes by name to the presence of at most %s', async (_which, limit, env) => {
  const messagingTransport = createRouterTransport(() => undefined);
  const gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport, env });
  const opened = await upgrade(gateway.baseUrl, SESSION_TOKEN);
  async function subscribe(ids: string[]): Promise<unknown> {
    const answered = new Promise<string>((resolve) =>
      opened.socket.once('message', (data: Buffer) => resolve(data.toString())),
    );
    const body = { request_id: '1', method: 'Presence.subscribe', data: { ids } };
    opened.socket.send(JSON.stringify({ type: 'request', body }));
    return (JSON.parse(await answered) as { body: unknown }).body;
  }
  const refusal = { id: 'invalid_operation', data: { property: 'ids', limit } };
  expect(await subscribe(names(0, limit + 1))).toMatchObject({ data: { id: 'invalid_property' } });
  expect(await subscribe(names(0, limit - 400))).toMatchObject({ success: true });
  expect(await subscribe(names(500, limit + 100))).toMatchObject({ success: false, data: refusal });
  expect(await subscribe(names(500, limit))).toMatchObject({ success: true });
  await close(opened);
  await gateway.stop();
});
