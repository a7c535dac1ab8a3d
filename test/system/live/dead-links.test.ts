import { createApp, identityUri, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { startNatsProxy, type NatsProxy } from '@parley/testing';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

const PUBLISHERS = ['messaging', 'identity', 'announcement'];

let ofGateway: NatsProxy;
let ofPublishers: NatsProxy;
let own: OwnPlatform;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
let bobs: TestSocket;

beforeAll(async () => {
  [ofGateway, ofPublishers] = await Promise.all([startNatsProxy(), startNatsProxy()]);
  const through = (proxy: NatsProxy) => ({ PARLEY_NATS_URL: proxy.url });
  const env = Object.fromEntries(PUBLISHERS.map((name) => [name, through(ofPublishers)]));
  own = await ownPlatform({ env: { ...env, gateway: through(ofGateway) } });
  for (const proxy of [ofGateway, ofPublishers]) proxy.connectTo(own.running.state.nats_url);
  app = await createApp(own);
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  await bob.call('PUT', '/following/users/ada', 204);
  bobs = await bob.connect();
  await until('live events arrive', async () => {
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
    conversation = body;
    const first = await say('first');
    return bobs.waitFor('first', isChange('create', 'Message', first.id), 1500).catch(() => undefined);
  });
}, 60_000);

afterAll(async () => {
  await bobs?.close();
  await own?.stop();
  await Promise.all([ofGateway?.stop(), ofPublishers?.stop()]);
});

async function say(text: string) {
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  return (await ada.call('POST', path, 201, { body: { parts: [textPart(text)] } })).body;
}
async function announce() {
  const body = { recipients: ['bob'], sender_id: 'ada', parts: [textPart('hear')] };
  return (await app.server('POST', '/announcements', 202, { body })).body;
}

test.each([
  ['a gateway', () => ofGateway],
  ['the services', () => ofPublishers],
])(
  'what happens while the packets between %s and NATS vanish reaches an open socket in time',
  async (who, proxy) => {
    proxy().swallow();
    const began = Date.now();
    const displayName = `Ada since the link of ${who} died`;
    const [sent, announced] = await Promise.all([
      say('swallowed'),
      announce(),
      app.server('PATCH', '/users/ada/identity', 204, { body: { display_name: displayName } }),
    ]);
    const left = () => 15_000 - (Date.now() - began);
    await bobs.waitFor('the message', isChange('create', 'Message', sent.id), left());
    await bobs.waitFor('the announcement', isChange('create', 'Announcement', announced.id), left());
    await bobs.waitFor(
      'the new name',
      (packet) =>
        isChange('update', 'Identity', identityUri('ada'))(packet) &&
        packet.body.data.some(({ value }: Json) => value === displayName),
      left(),
    );
    const next = await say('and on');
    await bobs.waitFor('the next message', isChange('create', 'Message', next.id), 5_000);
    expect(bobs.closed).toBeUndefined();
  },
  30_000,
);
