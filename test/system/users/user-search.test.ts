import { createApp, identityUri, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

// docs/protocol/users.md#finding-users

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada', { display_name: 'Ada Lovelace' });
  await app.login('bob', {
    display_name: 'Robert “Bob” Élan',
    avatar_url: 'https://example.com/bob.png',
  });
});

function openDirectory(value: unknown, status = 202) {
  return app.server('PATCH', '', status, { body: [{ operation: 'set', property: 'user_directory', value }] });
}

async function find(user: TestUser, query: string): Promise<Json[]> {
  return (await user.call('GET', `/users?${query}`, 200)).body;
}

async function findIds(user: TestUser, q: string): Promise<string[]> {
  return (await find(user, new URLSearchParams({ q }).toString())).map(({ user_id }: Json) => user_id);
}

test('a directory is closed until the application opens it', async () => {
  const { body } = await ada.call('GET', '/users?q=bob', 403);
  expect(body).toMatchObject({ id: 'access_denied', code: 101, data: { reason: 'user_directory' } });
  expect((await app.server('GET', '/users/ada/users?q=bob', 403)).body.data).toEqual({
    reason: 'user_directory',
  });
});

test.each(['all', true, null, ['everyone']])('another value of the setting is refused: %j', async (value) => {
  expect((await openDirectory(value, 422)).body.data.property).toMatch(/user_directory|0\.value/);
});

describe('everyone', () => {
  beforeAll(() => openDirectory('everyone'));

  test('users are found by the beginning of a word, or of the user id', async () => {
    const [found] = await find(ada, 'q=elan');
    expect(found).toEqual({
      id: identityUri('bob'),
      url: `${app.baseUrl}/identities/bob`,
      user_id: 'bob',
      display_name: 'Robert “Bob” Élan',
      avatar_url: 'https://example.com/bob.png',
    });
    for (const q of ['ROB', 'bob', 'b', 'robert b', 'éLaN']) expect(await findIds(ada, q)).toEqual(['bob']);
    for (const q of ['lan', 'obert', '😀']) expect(await findIds(ada, q)).toEqual([]);
  });

  test('a server finds as the user for whom it acts, with addresses of that form', async () => {
    const { body } = await app.server('GET', '/users/ada/users?q=bob', 200);
    expect(body).toMatchObject([
      { user_id: 'bob', url: `${app.baseUrl}/apps/${app.appUuid}/users/ada/identities/bob` },
    ]);
  });

  test.each(['', 'q=', `q=${'x'.repeat(65)}`, 'q=%00', 'q=a&page_size=0', 'q=a&page_size=x'])(
    'a request without a proper text is refused: %s',
    async (query) => {
      expect((await ada.call('GET', `/users?${query}`, 422)).body.data.property).toBe(
        query.includes('page_size') ? 'page_size' : 'q',
      );
    },
  );

  test('64 characters of any plane are taken, and a page of more than 20 users is cut', async () => {
    expect(await findIds(ada, '𝒜'.repeat(64))).toEqual([]);
    expect(await find(ada, 'q=a&page_size=1000')).toHaveLength(1);
  });

  test('suspended users, and those who block the caller, are not found', async () => {
    await app.server('PATCH', '/users/bob', 202, {
      body: [{ operation: 'set', property: 'suspended', value: true }],
    });
    expect(await findIds(ada, 'bob')).toEqual([]);
    await app.server('PATCH', '/users/bob', 202, {
      body: [
        { operation: 'set', property: 'suspended', value: false },
        { operation: 'add', property: 'blocks', id: 'ada' },
      ],
    });
    expect(await findIds(ada, 'bob')).toEqual([]);
    await app.server('PATCH', '/users/bob', 202, {
      body: [{ operation: 'remove', property: 'blocks', id: 'ada' }],
    });
    expect(await findIds(ada, 'bob')).toEqual(['bob']);
  });

  test('a rename and an erasure are found at once', async () => {
    await app.login('zoe', { display_name: 'Zoe' });
    await app.server('PATCH', '/users/zoe/identity', 204, { body: { display_name: 'Yara' } });
    expect([await findIds(ada, 'yara'), await findIds(ada, 'zoe')]).toEqual([['zoe'], ['zoe']]);
    await app.server('DELETE', '/users/zoe', 202);
    expect([await findIds(ada, 'yara'), await findIds(ada, 'zoe')]).toEqual([[], []]);
  });

  test('users of another application are not found', async () => {
    const other = await createApp(await platform());
    await other.login('xena', { display_name: 'Xena' });
    expect(await findIds(ada, 'xena')).toEqual([]);
    await other.server('GET', `/users/ada/users?q=a`, 404);
    await ada.call('GET', `/users?q=a`, 200);
  });
});

test('among shared users those are found with whom the caller shares a conversation now', async () => {
  await openDirectory('shared');
  const carol = await app.login('carol', { display_name: 'Carol' });
  expect(await findIds(ada, 'carol')).toEqual([]);
  const { body } = await ada.call('POST', '/conversations', 201, {
    body: { participants: ['carol', 'bob'] },
  });
  await until('carol is found', async () => (await findIds(ada, 'car')).includes('carol'));
  expect(await findIds(ada, 'ada')).toEqual([]);
  const path = `/conversations/${body.id.split('/').at(-1)}`;
  await carol.call('PATCH', path, 204, {
    body: [{ operation: 'remove', property: 'participants', id: 'carol' }],
  });
  await until('carol is not found', async () => (await findIds(ada, 'car')).length === 0);
  expect(await findIds(ada, 'bob')).toEqual(['bob']);
  await ada.call('DELETE', `${path}?mode=all_participants`, 204);
  await until('bob is not found', async () => (await findIds(ada, 'bob')).length === 0);
});

test('the list of users of the server takes a text, too', async () => {
  const ids = async (query: string): Promise<string[]> =>
    (await app.server('GET', `/users?${query}`, 200)).body.map(({ identity }: Json) => identity.user_id);
  await app.server('POST', '/users/helper/identity', 201, {
    body: { display_name: 'Ada’s helper', type: 'Bot' },
  });
  expect(await ids('q=ada')).toEqual(['ada', 'helper']);
  expect(await ids('q=ada&page_size=1')).toEqual(['ada']);
  expect(await ids('q=ada&page_size=1&from_id=ada')).toEqual(['helper']);
  expect(await ids('q=ada&type=bot')).toEqual(['helper']);
  expect(await ids('q=ada&suspended=true')).toEqual([]);
  expect(await ids('q=%3F')).toEqual([]);
  await app.server('GET', '/users?q=', 422);
  await ada.call('GET', `/apps/${app.appUuid}/users?q=ada`, 401);
});

test('hello lists the feature while the directory is open', async () => {
  const featuresOf = async (): Promise<unknown> => {
    const socket = await ada.connect({ subprotocol: 'svc-3.1' });
    const { body } = await socket.waitFor('hello', ({ type }) => type === 'hello');
    await socket.close();
    return body.limits.features;
  };
  await openDirectory('nobody');
  expect(await featuresOf()).toBeUndefined();
  for (const open of ['shared', 'everyone']) {
    await openDirectory(open);
    expect(await featuresOf()).toEqual(['user_directory']);
  }
});
