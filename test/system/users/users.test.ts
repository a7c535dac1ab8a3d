import { createApp, identityUri, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
});

function pathOf(userId: string) {
  return `/users/${encodeURIComponent(userId)}/identity`;
}
function create(userId: string, body: object, expected = 201) {
  return app.server('POST', pathOf(userId), expected, { body });
}
async function get(userId: string): Promise<Json> {
  return (await app.server('GET', pathOf(userId), 200)).body;
}

describe('identities by the server API', () => {
  test('are created and shown with every field', async () => {
    const fields = {
      display_name: 'Ada L.',
      avatar_url: 'https://a.example/a.png',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone_number: '+44 1',
      email_address: 'ada@a.example',
      public_key: 'key',
      metadata: { level: '35' },
    };
    expect((await create('ada', fields)).text).toBe('');
    expect(await get('ada')).toMatchObject({
      id: 'svc:///identities/ada',
      url: expect.stringMatching(/^https?:/),
      user_id: 'ada',
      type: 'User',
      identity_type: 'user',
      ...fields,
    });
    expect((await create('ada', fields, 409)).body).toMatchObject({ id: 'conflict', code: 108 });
  });

  test('need a display name', async () => {
    const { body } = await create('nameless', {}, 422);
    expect(body).toMatchObject({ id: 'missing_property', code: 104, data: { property: 'display_name' } });
    await app.server('GET', pathOf('nameless'), 404);
  });

  test.each([
    ['display_name', 'x'.repeat(129)],
    ['first_name', 'x'.repeat(129)],
    ['avatar_url', 'x'.repeat(1025)],
    ['phone_number', '1'.repeat(33)],
    ['email_address', 'x'.repeat(256)],
    ['metadata', Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']))],
    ['metadata', { a: 1 }],
    ['type', 'robot'],
  ])('refuse %s %.40j', async (property, value) => {
    const { body } = await create('refused', { display_name: 'x', [property]: value }, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property } });
  });

  test.each([{ type: 'bot' }, { identity_type: 'BOT' }, { type: 'Bot' }])(
    'take %j in any case',
    async (type) => {
      const userId = `bot-${JSON.stringify(type)}`;
      await create(userId, { display_name: 'b', ...type });
      expect(await get(userId)).toMatchObject({ type: 'Bot', identity_type: 'bot' });
    },
  );

  test('PUT replaces every field, PATCH changes some', async () => {
    await create('puck', { display_name: 'Puck', first_name: 'P', metadata: { a: '1', b: '2' } });
    await app.server('PATCH', pathOf('puck'), 204, { body: { last_name: 'Goodfellow' } });
    expect(await get('puck')).toMatchObject({
      display_name: 'Puck',
      first_name: 'P',
      last_name: 'Goodfellow',
    });
    await app.server('PUT', pathOf('puck'), 422, { body: { first_name: 'R' } });
    await app.server('PUT', pathOf('puck'), 204, { body: { display_name: 'Robin' } });
    expect(await get('puck')).toMatchObject({
      display_name: 'Robin',
      first_name: null,
      last_name: null,
      metadata: {},
    });
  });

  test('are gone after DELETE, and so is the user’s session', async () => {
    const dee = await app.login('dee');
    await app.server('DELETE', pathOf('dee'), 204);
    await app.server('GET', pathOf('dee'), 404);
    await app.server('DELETE', pathOf('dee'), 404);
    await until(
      'the session ends',
      () => dee.call('GET', '/conversations', 401).catch(() => undefined),
      2000,
    );
  });

  test.each([
    ['GET', undefined],
    ['PUT', { display_name: 'x' }],
    ['PATCH', { display_name: 'x' }],
    ['DELETE', undefined],
  ])('%s of a user who does not exist is 404', async (method, body) => {
    expect((await app.server(method, pathOf('who'), 404, { body })).body).toMatchObject({
      id: 'not_found',
      code: 102,
    });
  });

  test.each(['a/b', '100%', "!~'()*", 'é 漢', '👩‍👩‍👧', 'a.b+c?d#e&f', '"\\'])(
    'have the user id %j as it is',
    async (userId) => {
      await create(userId, { display_name: 'odd' });
      const identity = await get(userId);
      expect(identity).toMatchObject({ user_id: userId, id: identityUri(userId) });
      const odd = await app.login(userId, { display_name: 'odd' });
      const { body } = await odd.call('POST', '/conversations', 201, {
        body: { participants: [identityUri(userId)] },
      });
      expect(body.participants.map((one: Json) => one.user_id)).toEqual([userId]);
      const path = `/users/${encodeURIComponent(userId)}/conversations`;
      expect((await app.server('GET', path, 200)).body[0].id).toBe(body.id);
    },
  );

  test('that change show in conversations', async () => {
    const [ann, ben] = await Promise.all([app.login('ann'), app.login('ben')]);
    const { body } = await ann.call('POST', '/conversations', 201, { body: { participants: ['ben'] } });
    await app.server('PATCH', pathOf('ben'), 204, { body: { display_name: 'Benjamin' } });
    await until('the name is copied', async () => {
      const { participants } = (await ann.call('GET', `/conversations/${uuidOf(body.id)}`, 200)).body;
      return (
        participants.some((one: Json) => one.id === ben.uri && one.display_name === 'Benjamin') || undefined
      );
    });
  });
});

describe('a suspended user', () => {
  const suspend = (value: unknown, expected = 202) =>
    app.server('PATCH', '/users/max', expected, {
      body: [{ operation: 'set', property: 'suspended', value }],
    });

  test('has no session, cannot log in, and no server can act for them', async () => {
    const max = await app.login('max');
    const socket = await max.connect();
    expect((await suspend(true)).text).toBe('');
    await max.call('GET', '/conversations', 401);
    expect((await socket.untilClosed(2000)).code).toBe(4401);
    const login = async (expected: number) => {
      const identity_token = await app.identityToken('max');
      return (
        await call('POST', `${app.baseUrl}/sessions`, expected, {
          body: { identity_token, app_id: app.appId },
        })
      ).body;
    };
    expect((await login(422)).data).toEqual({ property: 'identity_token', reason: 'eit_user_suspended' });
    const { body } = await app.server('GET', '/users/max/conversations', 403);
    expect(body).toMatchObject({ id: 'user_suspended', code: 6 });
    expect((await app.server('GET', '/users/max', 200)).body).toMatchObject({
      suspended: true,
      identity: { user_id: 'max' },
    });
    await suspend(false);
    await login(201);
    await max.call('GET', '/conversations', 401);
    await app.server('GET', '/users/max/conversations', 200);
  });

  test.each(['yes', null, 1])('suspended cannot be %j', async (value) => {
    expect((await suspend(value, 422)).body.data.property).toMatch(/suspended|value/);
  });
});

describe('users', () => {
  test('DELETE of their sessions logs them out everywhere', async () => {
    const [one, two] = await Promise.all([app.login('lou'), app.login('lou')]);
    await app.server('DELETE', '/users/lou/sessions', 204);
    await Promise.all([one, two].map((session) => session.call('GET', '/conversations', 401)));
    await (await app.login('lou')).call('GET', '/conversations', 200);
  });

  test('who do not exist are 404, and reading does not create them', async () => {
    for (const path of ['/users/who', '/users/who/conversations', '/users/who/identity']) {
      expect((await app.server('GET', path, 404)).body.id).toBe('not_found');
    }
    const body = { participants: ['who'], parts: [textPart('x')] };
    expect((await app.server('POST', '/users/who/conversations', 404, { body })).body.id).toBe('not_found');
    await app.server('GET', '/users/who/identity', 404);
  });
});

test('no conversation with a deleted user can begin, and one can once the user is back', async () => {
  const eva = await app.login('eva');
  const begin = (expected: number) =>
    eva.call('POST', '/conversations', expected, { body: { participants: ['comes-and-goes'] } });
  for (let round = 0; round < 8; round++) {
    await create('comes-and-goes', { display_name: 'here' });
    await begin(201);
    await app.server('DELETE', pathOf('comes-and-goes'), 204);
    await begin(422);
  }
  await app.login('comes-and-goes');
  await begin(201);
});

test('a suspended user cannot use REST, sockets or servers that act for them, and can again once resumed', async () => {
  const suspend = (value: boolean) =>
    app.server('PATCH', '/users/in-and-out', 202, {
      body: [{ operation: 'set', property: 'suspended', value }],
    });
  await app.login('in-and-out');
  for (let round = 0; round < 8; round++) {
    const user = await app.login('in-and-out');
    const socket = await user.connect();
    await suspend(true);
    await user.call('GET', '/conversations', 401);
    await app.server('GET', '/users/in-and-out/conversations', 403);
    await socket.untilClosed();
    await suspend(false);
    await app.server('GET', '/users/in-and-out/conversations', 200);
  }
});

test('a change by the administration API takes effect at once on the gateway that was asked', async () => {
  const own = await createApp(await platform());
  const user = await own.login('ada');
  for (let round = 0; round < 4; round++) {
    await own.admin('SuspendApp', { app_uuid: own.appUuid });
    await user.call('GET', '/conversations', 403);
    await own.admin('ResumeApp', { app_uuid: own.appUuid });
    await user.call('GET', '/conversations', 200);
    const other = await own.login('bob');
    await other.call('GET', '/conversations', 200);
    await own.admin('SuspendUser', { app_uuid: own.appUuid, user_id: 'bob' });
    await other.call('GET', '/conversations', 401);
    await own.admin('ResumeUser', { app_uuid: own.appUuid, user_id: 'bob' });
    await own.server('GET', '/users/bob/conversations', 200);
  }
  await own.admin('DeleteApp', { app_uuid: own.appUuid });
  await user.call('GET', '/conversations', 401);
});
