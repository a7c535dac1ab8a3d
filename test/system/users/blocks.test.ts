import { randomUUID } from 'node:crypto';
import { createApp, identityUri, textPart, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
});

async function blockedBy(user: TestUser): Promise<string[]> {
  return (await user.call('GET', '/blocks', 200)).body.map((one: { user_id: string }) => one.user_id);
}

test('blocking and unblocking a user is idempotent', async () => {
  const ada = await app.login('own-ada');
  await app.login('own-bob');
  await ada.call('PUT', '/blocks/own-bob', 204);
  await ada.call('PUT', '/blocks/own-bob', 204);
  const { body } = await ada.call('GET', '/blocks', 200);
  expect(body).toEqual([
    {
      id: identityUri('own-bob'),
      url: `${app.baseUrl}/identities/own-bob`,
      user_id: 'own-bob',
      display_name: 'own-bob',
      avatar_url: null,
    },
  ]);
  await ada.call('DELETE', '/blocks/own-bob', 204);
  await ada.call('DELETE', '/blocks/own-bob', 204);
  expect(await blockedBy(ada)).toEqual([]);
  await ada.call('PUT', '/blocks/nobody', 404);
  await ada.call('PUT', '/blocks/own-ada', 422);
});

test.each(['', '/blocks'])(
  'a server changes blocks by PATCH on /users/:id%s, whole or not at all',
  async (path) => {
    const name = `patch${path.length}`;
    const ada = await app.login(`${name}-ada`);
    for (const one of ['a', 'b', 'c', 'd']) await app.login(`${name}-${one}`);
    const step = (operation: string, value: unknown, key = 'id') => ({
      operation,
      property: 'blocks',
      [key]: value,
    });
    const patch = (status: number, ...body: unknown[]) =>
      app.server('PATCH', `/users/${ada.id}${path}`, status, { body });
    await patch(202, step('add', `${name}-a`), step('add', identityUri(`${name}-b`), 'value'));
    expect(await blockedBy(ada)).toEqual([`${name}-a`, `${name}-b`]);
    await patch(202, step('remove', `${name}-a`), step('add', `${name}-c`));
    expect(await blockedBy(ada)).toEqual([`${name}-b`, `${name}-c`]);
    const { body } = await patch(422, step('add', `${name}-a`), step('add', 'nobody'));
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'blocks' } });
    expect(await blockedBy(ada)).toEqual([`${name}-b`, `${name}-c`]);
    await patch(202, step('set', [`${name}-d`], 'value'));
    expect((await app.server('GET', `/users/${ada.id}/blocks`, 200)).body).toMatchObject([
      { user_id: `${name}-d` },
    ]);
    await app.server('PATCH', `/users/nobody${path}`, 404, { body: [step('add', ada.id)] });
    await app.server('POST', `/users/${ada.id}/blocks`, 405, { body: [] });
    await app.server('DELETE', `/users/${ada.id}/blocks`, 405);
  },
);

test('a blocked user cannot create a conversation with the blocker, or add them', async () => {
  const [ada, bob] = [await app.login('create-ada'), await app.login('create-bob')];
  await app.login('create-carol');
  await ada.call('PUT', '/blocks/create-bob', 204);
  const { body } = await bob.call('POST', '/conversations', 422, { body: { participants: ['create-ada'] } });
  expect(body).toMatchObject({ id: 'participant_blocked', code: 110, data: { property: 'participants' } });
  const { body: own } = await bob.call('POST', '/conversations', 201, {
    body: { participants: ['create-carol'] },
  });
  const add = [{ operation: 'add', property: 'participants', id: 'create-ada' }];
  expect((await bob.call('PATCH', own.url, 422, { body: add })).body.code).toBe(110);
  await ada.call('DELETE', '/blocks/create-bob', 204);
  await bob.call('POST', '/conversations', 201, { body: { participants: ['create-ada'] } });
});

test('messages of a blocked user are not shown, counted or delivered to the blocker, but are to other participants', async () => {
  const [ada, bob] = [await app.login('shared-ada'), await app.login('shared-bob')];
  const carol = await app.login('shared-carol');
  const { body: conversation } = await bob.call('POST', '/conversations', 201, {
    body: { participants: ['shared-ada', 'shared-carol'] },
  });
  const send = async (text: string) =>
    (await bob.call('POST', conversation.messages_url, 201, { body: { parts: [textPart(text)] } })).body;
  const before = await send('before');
  await ada.call('PUT', '/blocks/shared-bob', 204);
  const [blind, seeing] = [await ada.connect(), await carol.connect()];
  const hidden = await send('hidden');
  await seeing.waitFor('the message', (p) => p.body.data?.id === hidden.id);
  const { body: seen } = await ada.call('GET', conversation.messages_url, 200);
  expect(seen.map((one: { id: string }) => one.id)).toEqual([before.id]);
  await ada.call('GET', `${app.baseUrl}/messages/${hidden.id.split('/').at(-1)}`, 404);
  expect((await ada.call('GET', conversation.url, 200)).body.unread_message_count).toBe(1);
  await ada.call('POST', `${app.baseUrl}/messages/${hidden.id.split('/').at(-1)}/receipts`, 404, {
    body: { type: 'read' },
  });
  await blind.request('Counter.read');
  expect(blind.changes('Message')).toEqual([]);
  expect((await carol.call('GET', conversation.url, 200)).body.unread_message_count).toBe(2);
  await blind.close();
  await seeing.close();
});

type Change = (name: string, owner: TestUser, isBlocked: boolean) => Promise<unknown>;
function step(operation: string, value: unknown) {
  return { operation, property: 'blocks', value };
}
function patch(path: string, owner: TestUser, ...body: unknown[]) {
  return app.server('PATCH', `/users/${owner.id}${path}`, 202, { body });
}

const changes: [string, Change][] = [
  ['PUT and DELETE', (name, owner, on) => owner.call(on ? 'PUT' : 'DELETE', `/blocks/${name}`, 204)],
  ['add and remove', (name, owner, on) => patch('/blocks', owner, step(on ? 'add' : 'remove', name))],
  ['set', (name, owner, on) => patch('', owner, step('set', on ? [name] : []))],
];

test.each(changes)(
  'once %s is answered, every send that begins afterwards honours it',
  async (what, change) => {
    const prefix = what.replaceAll(/\W/g, '-');
    const [ada, bob] = [await app.login(`${prefix}-ada`), await app.login(`${prefix}-bob`)];
    const { body: conversation } = await bob.call('POST', '/conversations', 201, {
      body: { participants: [ada.id] },
    });
    const sockets = await Promise.all([1, 2, 3, 4].map(() => bob.connect()));
    const owner = await ada.connect();
    const withheld: string[] = [];
    const shown: string[] = [];
    for (let round = 0; round < 6; round++) {
      for (const isBlocked of [true, false]) {
        let answered = false;
        const begunAfterwards = isBlocked ? withheld : shown;
        const senders = sockets.map(async (socket) => {
          for (let after = 0; after < 3;) {
            const id = randomUUID();
            if (answered) {
              after += 1;
              begunAfterwards.push(`svc:///messages/${id}`);
            }
            const data = { id, parts: [textPart('hello')] };
            const { success } = await socket.request('Message.create', { object_id: conversation.id, data });
            expect(success).toBe(true);
          }
        });
        await change(bob.id, ada, isBlocked);
        answered = true;
        await Promise.all(senders);
      }
    }
    for (const id of shown) await owner.waitFor('a message that is shown', (p) => p.body.data?.id === id);
    const { body: page } = await ada.call('GET', `${conversation.messages_url}?page_size=100`, 200);
    const listed = new Set(page.map(({ id }: { id: string }) => id));
    expect(withheld.filter((id) => listed.has(id))).toEqual([]);
    const received = new Set(owner.changes('Message').map(({ data }) => data?.id));
    expect(withheld.filter((id) => received.has(id))).toEqual([]);
    await Promise.all([...sockets, owner].map((socket) => socket.close()));
  },
  60_000,
);
