import { randomUUID } from 'node:crypto';
import { call } from './support/call.ts';
import { adminCall, startPlatform, type Caller, type Platform } from './support/platform.ts';

let platform: Platform;
let alice: Caller;
let bob: Caller;
let aliceToken: string;

beforeAll(async () => {
  platform = await startPlatform();
  const session = await platform.app.login('alice');
  alice = session.call;
  aliceToken = session.token;
  bob = (await platform.app.login('bob')).call;
});
afterAll(() => platform?.stop());

const text = (body: string) => ({ parts: [{ mime_type: 'text/plain', body }] });
const uuidOf = (uri: unknown) => String(uri).slice(String(uri).lastIndexOf('/') + 1);
const newConversation = async () =>
  (await alice('POST', '/conversations', { body: { participants: ['bob'] } })).json;

describe('conversations', () => {
  test('are created, found, changed and deleted', async () => {
    const created = await alice('POST', '/conversations', {
      body: { participants: ['bob'], metadata: { a: 'b' } },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(created.json['url']);
    const url = String(created.json['url']);
    expect((await bob('GET', url)).json).toMatchObject({ id: created.json['id'], metadata: { a: 'b' } });
    const body = [{ operation: 'set', property: 'metadata.a', value: 'c' }];
    expect((await bob('PATCH', url, { body })).status).toBe(204);
    expect((await alice('GET', url)).json['metadata']).toEqual({ a: 'c' });
    const list = await alice('GET', '/conversations?sort_by=last_message&page_size=1');
    expect(list.status).toBe(200);
    expect(Number(list.headers.get('svc-count'))).toBeGreaterThan(0);
    expect((await alice('DELETE', `${url}?mode=all_participants`)).status).toBe(204);
    expect((await bob('GET', url)).status).toBe(404);
  });

  test('a distinct one that exists is answered with 200, or 409 if its metadata differ', async () => {
    const body = { participants: ['bob'], distinct: true, metadata: { topic: 'one' } };
    const created = await alice('POST', '/conversations', { body });
    const found = await bob('POST', '/conversations', { body: { ...body, participants: ['alice'] } });
    expect([created.status, found.status, found.json['id']]).toEqual([201, 200, created.json['id']]);
    const other = await alice('POST', '/conversations', { body: { ...body, metadata: { topic: 'two' } } });
    expect([other.status, other.json['id']]).toEqual([409, 'conflict']);
    expect(other.json['data']).toMatchObject({ id: created.json['id'] });
  });

  test('an unknown order or a bad page is refused', async () => {
    for (const query of ['sort_by=name', 'page_size=0', 'page_size=x', 'from_id=x']) {
      const { status, json } = await alice('GET', `/conversations?${query}`);
      expect([status, json['id'], json['data']]).toEqual([
        422,
        'invalid_property',
        expect.objectContaining({ property: query.split('=')[0] }),
      ]);
    }
  });
});

describe('messages', () => {
  test('are sent, listed, read and deleted', async () => {
    const conversation = await newConversation();
    const sent = await alice('POST', String(conversation['messages_url']), { body: text('Hello') });
    expect(sent.status).toBe(201);
    expect(sent.headers.get('location')).toBe(sent.json['url']);
    expect(sent.json).toMatchObject({
      position: 1,
      is_unread: false,
      recipient_status: { 'svc:///identities/alice': 'read', 'svc:///identities/bob': 'sent' },
    });
    const url = String(sent.json['url']);
    expect((await bob('POST', `${url}/receipts`, { body: { type: 'read' } })).status).toBe(204);
    expect((await alice('GET', url)).json['recipient_status']).toMatchObject({
      'svc:///identities/bob': 'read',
    });
    const list = await bob('GET', String(conversation['messages_url']));
    expect([list.status, list.headers.get('svc-count')]).toEqual([200, '1']);
    expect((await alice('DELETE', `${url}?mode=all_participants`)).status).toBe(204);
    const gone = await bob('GET', url);
    expect([gone.status, gone.text]).toEqual([404, '']);
  });

  test('an id that is in use is answered with the message that has it', async () => {
    const conversation = await newConversation();
    const id = randomUUID();
    const path = String(conversation['messages_url']);
    const first = await alice('POST', path, { body: { ...text('once'), id } });
    const second = await alice('POST', path, { body: { ...text('twice'), id } });
    expect([first.status, second.status, second.json['id']]).toEqual([201, 409, 'id_in_use']);
    expect(second.json['data']).toEqual(first.json);
    expect((await alice('POST', path, { body: { ...text('no'), id: 'x' } })).json['id']).toBe(
      'invalid_request_id',
    );
  });

  test('are each stored once when many are sent at the same time', async () => {
    const conversation = await newConversation();
    const path = String(conversation['messages_url']);
    const sends = Array.from({ length: 40 }, (_, index) =>
      alice('POST', path, { body: text(`message ${index}`) }),
    );
    const positions = (await Promise.all(sends))
      .map(({ json }) => json['position'])
      .sort((a, b) => Number(a) - Number(b));
    expect(positions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test('all are marked read up to a position', async () => {
    const conversation = await newConversation();
    for (const body of ['one', 'two'])
      await alice('POST', String(conversation['messages_url']), { body: text(body) });
    const url = String(conversation['url']);
    expect((await bob('GET', url)).json['unread_message_count']).toBe(2);
    const marked = await bob('POST', `${url}/mark_all_read`, { body: { position: null } });
    expect([marked.status, marked.json]).toEqual([202, { position: 2 }]);
    expect((await bob('GET', url)).json['unread_message_count']).toBe(0);
    expect((await bob('POST', `${url}/mark_all_read`, { body: { position: -1 } })).status).toBe(422);
  });

  test('in an unknown conversation are an error with a body', async () => {
    const { status, json } = await alice('POST', `/conversations/${randomUUID()}/messages`, {
      body: text('x'),
    });
    expect([status, json['id']]).toEqual([404, 'not_found']);
  });
});

describe('the server API', () => {
  test('sends for a user, with an id by If-None-Match', async () => {
    const conversation = await newConversation();
    const id = randomUUID();
    const path = `/conversations/${uuidOf(conversation['id'])}/messages`;
    const headers = { 'if-none-match': `"${id}"` };
    const body = { ...text('from a server'), sender_id: 'alice' };
    const sent = await platform.app.server('POST', path, { headers, body });
    expect([sent.status, sent.json['id'], sent.json['is_unread']]).toEqual([
      201,
      `svc:///messages/${id}`,
      null,
    ]);
    expect((await platform.app.server('POST', path, { headers, body })).status).toBe(409);
    expect((await platform.app.server('GET', String(sent.json['url']))).json).toMatchObject({
      id: sent.json['id'],
    });
    expect((await platform.app.server('DELETE', `${path}/${id}`)).status).toBe(204);
    const missing = await platform.app.server('GET', `${path}/${randomUUID()}`);
    expect([missing.status, missing.text]).toEqual([404, '']);
  });

  test("acts as a user, with addresses of the server's own form", async () => {
    const { json: conversation } = await platform.app.server('POST', '/users/alice/conversations', {
      body: { participants: ['bob'] },
    });
    const root = `${platform.gateway.baseUrl}/apps/${platform.app.uuid}/users/alice`;
    expect(conversation['url']).toBe(`${root}/conversations/${uuidOf(conversation['id'])}`);
    const sent = await platform.app.server('POST', String(conversation['messages_url']), {
      body: text('as alice'),
    });
    expect([sent.status, sent.json['url']]).toEqual([201, `${root}/messages/${uuidOf(sent.json['id'])}`]);
    const mine = await alice('GET', `/messages/${uuidOf(sent.json['id'])}`);
    expect(mine.json['sender']).toMatchObject({ user_id: 'alice' });
    expect((await platform.app.server('GET', '/users/nobody/conversations')).status).toBe(404);
  });

  test('keeps identities', async () => {
    const path = '/users/%C3%A9milie%2F1/identity';
    const server = platform.app.server;
    expect((await server('POST', path, { body: {} })).json['id']).toBe('missing_property');
    const created = await server('POST', path, { body: { display_name: 'Émilie', type: 'bot' } });
    expect([created.status, created.text, created.headers.get('content-type')]).toEqual([201, '', null]);
    expect((await server('POST', path, { body: { display_name: 'Other' } })).status).toBe(409);
    expect((await server('PATCH', path, { body: { first_name: 'É' } })).status).toBe(204);
    expect((await server('GET', path)).json).toMatchObject({
      user_id: 'émilie/1',
      display_name: 'Émilie',
      first_name: 'É',
      type: 'Bot',
      identity_type: 'bot',
    });
    expect((await server('PUT', path, { body: { display_name: 'E' } })).status).toBe(204);
    expect((await server('GET', path)).json).toMatchObject({ display_name: 'E', first_name: null });
    expect((await server('DELETE', path)).status).toBe(204);
    expect((await server('GET', path)).status).toBe(404);
  });

  test('changes the time that sessions live', async () => {
    const setTtl = (value: unknown) =>
      platform.app.server('PATCH', '', {
        body: [{ operation: 'set', property: 'session_ttl_in_seconds', value }],
      });
    expect((await setTtl(3_600)).status).toBe(202);
    for (const value of [29, 31_536_001, 'long']) {
      const { status, json } = await setTtl(value);
      expect([status, json['data']]).toEqual([422, { property: 'session_ttl_in_seconds' }]);
    }
  });
});

describe('sessions', () => {
  test('begin with the addresses of the API', async () => {
    const { status, json } = await call('POST', `${platform.gateway.baseUrl}/sessions`, { body: {} });
    expect([status, json['data']]).toEqual([422, { property: 'identity_token' }]);
  });

  test('are deleted by their user, not by another one', async () => {
    const session = await platform.app.login('carol');
    const path = `/sessions/${session.token}`;
    expect((await bob('DELETE', path)).status).toBe(404);
    expect((await session.call('GET', '/conversations')).status).toBe(200);
    const deleted = await session.call('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await session.call('GET', '/conversations')).status).toBe(401);
  });

  test('end with the suspension of their user, as whom no server may act then', async () => {
    const session = await platform.app.login('dave');
    const server = platform.app.server;
    const suspend = (value: boolean) =>
      server('PATCH', '/users/dave', { body: [{ operation: 'set', property: 'suspended', value }] });
    expect((await server('GET', '/users/dave/conversations')).status).toBe(200);
    expect((await suspend(true)).status).toBe(202);
    expect((await server('GET', '/users/dave')).json).toMatchObject({
      suspended: true,
      identity: { user_id: 'dave' },
    });
    expect((await session.call('GET', '/conversations')).status).toBe(401);
    expect((await server('GET', '/users/dave/conversations')).json['id']).toBe('user_suspended');
    expect((await suspend(false)).status).toBe(202);
    expect((await server('GET', '/users/dave/conversations')).status).toBe(200);
  });

  test('of a user end all at once', async () => {
    const sessions = [await platform.app.login('erin'), await platform.app.login('erin')];
    expect((await platform.app.server('DELETE', '/users/erin/sessions')).status).toBe(204);
    for (const session of sessions) expect((await session.call('GET', '/conversations')).status).toBe(401);
  });

  test('stay watched while they are valid', async () => {
    const { auth } = platform.gateway.context;
    const guard = {
      missing: () => undefined,
      require: () => undefined,
      bad: () => undefined,
      lookUp: <T>(look: () => Promise<T>) => look(),
    };
    const byQuery = (token: string) =>
      auth.sessionOfUpgrade({ authorization: undefined, token, origin: undefined }, guard);
    const caller = await byQuery(aliceToken);
    expect(caller).toMatchObject({ userId: 'alice', appId: platform.app.uuid });
    expect(await byQuery('dead')).toBeUndefined();
    const frank = await platform.app.login('frank');
    const franks = await auth.sessionOfUpgrade(
      { authorization: `Svc session-token=${frank.token}`, token: null, origin: undefined },
      guard,
    );
    const ended: (string | undefined)[] = [];
    const forget = auth.onRevoked((isRevoked) => {
      for (const each of [caller, franks]) if (each && isRevoked(each)) ended.push(each.userId);
    });
    await frank.call('DELETE', `/sessions/${frank.token}`);
    expect(new Set(ended)).toEqual(new Set(['frank']));
    forget();
  });
});

describe('administration', () => {
  test('needs its token', async () => {
    const { status } = await adminCall(platform.gateway.baseUrl, 'ListApps', {}, 'wrong');
    expect(status).toBe(401);
  });

  test('answers with the names of the fields, and with the problems of identity', async () => {
    const apps = await adminCall(platform.gateway.baseUrl, 'ListApps', {});
    expect(apps.json['apps']).toContainEqual(
      expect.objectContaining({ app_uuid: platform.app.uuid, suspended: false }),
    );
    const missing = await adminCall(platform.gateway.baseUrl, 'GetApp', { app_uuid: randomUUID() });
    expect([missing.status, missing.json['code']]).toEqual([404, 'not_found']);
  });

  test('revokes an access token within a second', async () => {
    const { baseUrl } = platform.gateway;
    const created = await adminCall(baseUrl, 'CreateAccessToken', {
      app_uuid: platform.app.uuid,
      name: 'short',
    });
    const headers = { authorization: `Bearer ${String(created.json['token'])}` };
    const path = `${baseUrl}/apps/${platform.app.uuid}/conversations`;
    expect((await call('GET', path, { headers })).status).toBe(200);
    const { id } = created.json['access_token'] as { id: string };
    expect((await adminCall(baseUrl, 'DeleteAccessToken', { access_token_id: id })).status).toBe(200);
    await platform.gateway.context.auth.learnRevocations();
    expect((await call('GET', path, { headers })).status).toBe(401);
  });
});
