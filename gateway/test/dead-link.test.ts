import { systemClock, type Clock } from '@parley/kit/runtime/clock';
import { startTcpProxy, testNats, until } from '@parley/testing';
import { startPlatform } from './support/platform.ts';
import { close, upgrade } from './support/sockets.ts';

type Packet = { type: string; body: { operation?: string; object?: { id: string } } };

const ahead = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });

test.each([0, 1_500, 4_000, -4_000])(
  'a message sent into a dead link of a gateway whose clock is %d ms ahead reaches a socket that opened just before',
  async (ms) => {
    const proxy = await startTcpProxy(await testNats());
    const { gateway, app, stop } = await startPlatform({ clock: ahead(ms), natsUrl: proxy.url });
    const [ann, bob] = await Promise.all([app.login('ann'), app.login('bob')]);
    const { json: conversation } = await ann.call('POST', '/conversations', {
      body: { participants: ['bob'] },
    });
    const opened = await upgrade(gateway.baseUrl, bob.token);
    const packets: Packet[] = [];
    opened.socket.on('message', (data) => void packets.push(JSON.parse(String(data)) as Packet));
    proxy.swallow();
    const path = `/conversations/${String(conversation['id']).split('/').at(-1)}/messages`;
    const body = { parts: [{ mime_type: 'text/plain', body: 'hello' }] };
    // A machine that runs many tests may stand still for longer than a call may take.
    const message = await until(
      async () => {
        const { status, json } = await ann.call('POST', path, { body });
        return status === 201 ? json : undefined;
      },
      { withinMs: 15_000, what: 'an answer to the message' },
    );
    await until(() => packets.some(({ body }) => body.object?.id === message['id']) || undefined, {
      withinMs: 30_000,
      what: 'the message',
    });
    await close(opened);
    await stop();
    await proxy.stop();
  },
  90_000,
);
