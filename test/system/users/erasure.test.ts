import { createTestDatabase, startTcpProxy, type TcpProxy } from '@parley/testing';
import { createApp, identityUri, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

let proxy: TcpProxy;
let own: OwnPlatform;
let app: TestApp;
let bob: TestUser;

beforeAll(async () => {
  proxy = await startTcpProxy(await createTestDatabase());
  own = await ownPlatform({ env: { messaging: { PARLEY_DATABASE_URL: proxy.url } } });
  app = await createApp(own);
  bob = await app.login('bob');
}, 60_000);

afterAll(async () => {
  await own?.stop();
  await proxy?.stop();
});

afterEach(() => proxy.restore());

function say(user: TestUser, conversation: Json, text: string) {
  return user.call('POST', conversation.messages_url, 201, { body: { parts: [textPart(text)] } });
}

/** The texts of a conversation's messages as bob sees them. */
async function heard(conversation: Json): Promise<string[]> {
  const texts: string[] = [];
  for (let query = '?page_size=100'; ;) {
    const { body } = await bob.call('GET', `${conversation.messages_url}${query}`, 200);
    texts.push(...body.map(({ parts }: Json) => parts[0].body));
    if (body.length < 100) return texts;
    query = `?page_size=100&from_id=${encodeURIComponent(body.at(-1).id)}`;
  }
}

async function converse(user: TestUser, count: number): Promise<Json[]> {
  const conversations: Json[] = [];
  for (let made = 0; made < count; made++) {
    const body = { participants: ['bob'], distinct: false };
    conversations.push((await user.call('POST', '/conversations', 201, { body })).body);
  }
  return conversations;
}

/** The next person with the user id takes part in no conversation until somebody adds them. */
async function join(userId: string, conversations: Json[]): Promise<void> {
  for (const { id } of conversations)
    await app.server('PATCH', `/conversations/${uuidOf(id)}`, 204, {
      body: [{ operation: 'add', property: 'participants', id: identityUri(userId) }],
    });
}

function isSilent(conversation: Json, words: string) {
  return until(
    `"${words}" is erased`,
    async () => !(await heard(conversation)).some((text) => text.startsWith(words)) || undefined,
    30_000,
  );
}

test('a user who is erased and logs in again at once keeps all that they send, and nothing from before', async () => {
  const before = await app.login('ada');
  const conversations = await converse(before, 3);
  for (const conversation of conversations)
    for (let sent = 0; sent < 90; sent += 30)
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => say(before, conversation, `old ${sent + index}`)),
      );
  await app.server('DELETE', '/users/ada', 202);
  const after = await app.login('ada');
  await after.call('POST', conversations[0]!.messages_url, 404, { body: { parts: [textPart('too early')] } });
  await join('ada', conversations);
  const kept = Array.from({ length: 60 }, (_, index) => `new ${index}`);
  for (const [index, text] of kept.entries()) {
    await say(after, conversations[index % 3]!, text);
    if (index % 20 === 0) await before.call('GET', '/conversations', 401);
  }
  for (const conversation of conversations) await isSilent(conversation, 'old');
  const all = (await Promise.all(conversations.map(heard))).flat();
  expect(all.sort()).toEqual(kept.sort());
}, 60_000);

test('while messaging is down an erasure is answered with 503; a repeated request or the event completes it', async () => {
  const [eve, fay] = [await app.login('eve'), await app.login('fay')];
  const [ofEve, ofFay] = [(await converse(eve, 1))[0]!, (await converse(fay, 1))[0]!];
  await say(eve, ofEve, 'old');
  await say(fay, ofFay, 'old');
  proxy.cut();
  const refused = await app.server('DELETE', '/users/eve', 503);
  expect(refused.body).toMatchObject({ id: 'service_unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await app.server('DELETE', '/users/fay', 503);
  proxy.restore();
  await until(
    'the repeat is answered',
    () => app.server('DELETE', '/users/eve', 202).catch(() => undefined),
    20_000,
  );
  const [eveAgain, fayAgain] = [await app.login('eve'), await app.login('fay')];
  await join('eve', [ofEve]);
  await join('fay', [ofFay]);
  await say(eveAgain, ofEve, 'new');
  await say(fayAgain, ofFay, 'new');
  await isSilent(ofEve, 'old');
  await isSilent(ofFay, 'old');
  expect([await heard(ofEve), await heard(ofFay)]).toEqual([['new'], ['new']]);
}, 60_000);
