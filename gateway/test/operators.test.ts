import { randomUUID } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import { until } from '@parley/testing';
import { SERVICES } from '@parley/administration/describe';
import { permissionOf } from '@parley/console-server/admin/permissions';
import { covers, type Role } from '@parley/administration/roles';
import { ROUTES } from '../src/api/routes.ts';
import { ask, type Answer } from './support/ask.ts';
import { compileRoutes } from '../src/api/http/match.ts';
import { MEDIA_TYPE } from './support/call.ts';
import { signInAs, type Person } from './support/console.ts';
import { adminCall, startPlatform, type Platform } from './support/platform.ts';

// docs/console.md#the-audit-log

type Entry = Record<string, unknown>;

const AT_ONCE = 12;
const WALK_MS = 300_000;
const SECRET = 'a-s3cret-of-these-tests';
const ROLES: Role[] = ['viewer', 'operator', 'owner'];
const METHODS = SERVICES.flatMap((service) => [...service.methods]);
const MATCHER = compileRoutes(ROUTES);
/** The routes that a request reaches: where two fit, the first one serves it. */
const REACHED = ROUTES.filter(
  (route) => route.auth === 'bearer' && MATCHER.find(route.method, route.path)?.route === route,
);
const IDS: Record<string, string> = {
  user_id: 'bob',
  owner_user_id: 'bob',
  as_user_id: 'ada',
  token: SECRET,
};

let platform: Platform;
const people = {} as Record<Role, Person>;

beforeAll(async () => {
  platform = await startPlatform({ env: { PARLEY_RATE_LIMIT_FACTOR: '0' } });
  await platform.app.login('ada');
  await platform.app.login('bob');
  for (const role of ROLES) people[role] = await signInAs(platform, [{ role }], role);
});
afterAll(() => platform.stop());

async function entriesOf(app_uuid = ''): Promise<Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const page = { page_size: 500, from_id: String(all.at(-1)?.['id'] ?? ''), app_uuid };
    const { json } = await adminCall(platform.gateway.baseUrl, 'ListAuditEntries', page);
    const entries = json['entries'] as Entry[];
    all.push(...entries);
    if (entries.length < 500) return all;
  }
}

const of = (entries: Entry[], subject: string, method: string) =>
  entries.filter((entry) => entry['actor_subject'] === subject && entry['method'] === method);

describe('each method of the administration API, for each role', () => {
  const real: Record<string, string> = {};
  /** By the ids of what is there; an owner, who may do all, names nothing that is there. */
  const requestOf = (role: Role, { input }: DescMethod) => {
    const names = input.fields.map(({ name }) => name).filter((name) => real[name] !== undefined);
    return Object.fromEntries(names.map((name) => [name, role === 'owner' ? randomUUID() : real[name]]));
  };
  let answers: { role: Role; method: DescMethod; answer: Answer }[];
  let entries: Entry[];

  beforeAll(async () => {
    const made = async (method: string, body: object) =>
      (await adminCall(platform.gateway.baseUrl, method, body)).json as Record<string, { id: string }>;
    const app_uuid = platform.app.uuid;
    const { provider } = await made('CreateProvider', { app_uuid, name: 'another' });
    const { key } = await made('CreateKey', { provider_id: provider?.id });
    const { access_token } = await made('CreateAccessToken', { app_uuid, name: 'another' });
    const ids = { provider_id: provider?.id, key_id: key?.id, access_token_id: access_token?.id };
    Object.assign(real, { app_uuid, user_id: 'nobody', ...ids });
    const calls = ROLES.flatMap((role) => METHODS.map((method) => ({ role, method })));
    answers = await Promise.all(
      calls.map(async ({ role, method }) => {
        const answer = await people[role].admin(method.parent.typeName, method.name, requestOf(role, method));
        return { role, method, answer };
      }),
    );
    entries = await entriesOf();
  }, WALK_MS);

  test('is allowed or refused as the table says', () => {
    const wrong = answers.filter(({ role, method, answer }) => {
      const least = permissionOf(method.parent.typeName, method.name)?.role ?? 'owner';
      return (answer.status === 403) === covers(role, least);
    });
    expect(wrong.map(({ role, method, answer }) => [role, method.name, answer.status])).toEqual([]);
  });

  test('leaves an entry with its outcome, unless it reads and is allowed', () => {
    const wrong = answers.filter(({ role, method, answer }) => {
      const { recorded } = permissionOf(method.parent.typeName, method.name)!;
      const own = of(entries, role, `${method.parent.name}/${method.name}`);
      if (recorded === 'none' && answer.status !== 403) return own.length > 0;
      const outcome = answer.status < 400 ? 'done' : answer.status < 500 ? 'refused' : 'failed';
      return own.length !== 1 || own[0]?.['outcome'] !== outcome;
    });
    expect(wrong.map(({ role, method, answer }) => [role, method.name, answer.status])).toEqual([]);
  });
});

describe('each route of the server API, for each role', () => {
  const body = JSON.stringify({ secret: SECRET, unknown_property: SECRET });
  let answers: { role: Role; route: (typeof ROUTES)[number]; answer: Answer }[];
  let entries: Entry[];

  beforeAll(async () => {
    const { uuid: app_id } = platform.app;
    const tokens = {} as Record<Role, string>;
    for (const role of ROLES) {
      const access = role === 'viewer' ? 'read' : 'write';
      const { json } = await people[role].post('/console/app-token', { app_id, access });
      tokens[role] = String(json['token']);
    }
    const { wire } = platform.gateway.context;
    const webhooksMediaType = `${wire.webhooksMediaType}; version=${wire.version}`;
    const send = (role: Role, { method, path, accept }: (typeof ROUTES)[number]) =>
      ask(method, platform.gateway.baseUrl + fill(path), {
        headers: {
          authorization: `Bearer ${tokens[role]}`,
          accept: accept === 'webhooks' ? webhooksMediaType : MEDIA_TYPE,
          'content-type': 'application/json',
        },
        ...(method !== 'GET' && method !== 'DELETE' && { body }),
      });
    const answerOf = async ({ role, route }: (typeof calls)[number]) => ({
      role,
      route,
      answer: await send(role, route),
    });
    const calls = ROLES.flatMap((role) => REACHED.map((route) => ({ role, route })));
    // A few at a time: none may run out of its time on a machine that is busy.
    answers = [];
    for (let from = 0; from < calls.length; from += AT_ONCE)
      answers.push(...(await Promise.all(calls.slice(from, from + AT_ONCE).map(answerOf))));
    entries = await entriesOf(app_id);
  }, WALK_MS);

  function fill(path: string): string {
    return path.replaceAll(/:(\w+)/g, (_, name: string) =>
      name === 'app_uuid' ? platform.app.uuid : (IDS[name] ?? '01990000-0000-7000-8000-000000000001'),
    );
  }
  const named = ({ role, route, answer }: (typeof answers)[number]) => [
    role,
    `${route.method} ${route.path}`,
    answer.status,
    answer.json['id'],
  ];
  const methodOf = ({ method, path }: (typeof ROUTES)[number]) =>
    `${method} ${path.replace('/apps/:app_uuid', '') || '/'}`;

  test('is allowed or refused as the table says', () => {
    const wrong = answers.filter(({ role, route, answer }) => {
      const isAllowed = covers(role, route.operator!.role);
      return (answer.status === 403 && answer.json['id'] === 'access_denied') === isAllowed;
    });
    expect(wrong.map(named)).toEqual([]);
  });

  test('leaves an entry with its outcome: the refused, the changing, and the reading of messages', () => {
    const wrong = answers.filter(({ role, route, answer }) => {
      const own = of(entries, role, methodOf(route));
      if (answer.status === 403)
        return own.length !== 1 || own[0]?.['outcome'] !== 'refused' || own[0]?.['code'] !== 'access_denied';
      if (route.operator?.recorded === 'call') {
        const outcome = answer.status < 400 ? 'done' : answer.status < 500 ? 'refused' : 'failed';
        return own.length !== 1 || own[0]?.['outcome'] !== outcome;
      }
      const path = fill(route.path).replace(`/apps/${platform.app.uuid}`, '');
      const reads = entries.filter(
        ({ action, subject, actor_subject }) =>
          action === 'message_content.read' && subject === path && actor_subject === role,
      );
      // What could not be noted was not answered.
      return answer.status !== 503 && reads.length > 0 !== (route.operator?.recorded === 'read');
    });
    expect(wrong.map(named)).toEqual([]);
  });

  test('leaves no secret in the audit log', () => {
    expect(entries.length).toBeGreaterThan(REACHED.length);
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });
});

describe('signing in and out', () => {
  const actionsOf = async () => (await entriesOf()).map(({ action }) => action);
  const post = (path: string, body: object, headers = {}) => {
    const { baseUrl } = platform.gateway;
    const json = { origin: baseUrl, 'content-type': 'application/json' };
    return ask('POST', baseUrl + path, { headers: { ...json, ...headers }, body: JSON.stringify(body) });
  };

  test('leave entries: the code, the session, its end, and what was refused', async () => {
    const { json } = await adminCall(platform.gateway.baseUrl, 'CreateSignInCode', {});
    const { headers } = await post('/console/sign-in/code', { code: json['code'] });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await post('/console/sign-out', {}, { cookie })).status).toBe(204);
    expect((await post('/console/sign-in/code', { code: json['code'] })).status).toBe(401);
    const entries = await entriesOf();
    expect(entries.slice(0, 4)).toMatchObject([
      { action: 'sign_in.refused', actor: 'unknown', code: 'authentication_required', outcome: 'refused' },
      { action: 'console_session.ended', actor_subject: 'owner', outcome: 'done' },
      { action: 'console_session.opened_by_code', actor_issuer: 'local', outcome: 'done' },
      { action: 'sign_in_code.created', method: 'AdminService/CreateSignInCode', outcome: 'done' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(json['code']);
  });

  test('a flood of wrong tokens leaves one entry at once', async () => {
    const flood = Array.from({ length: 200 }, () =>
      adminCall(platform.gateway.baseUrl, 'ListApps', {}, 'wrong'),
    );
    for (const { status } of await Promise.all(flood)) expect(status).toBe(401);
    const refused = (await actionsOf()).filter((action) => action === 'administration_token.refused');
    expect(refused).toHaveLength(1);
  });

  test('a refused token of an application names the person', async () => {
    const answer = await people.viewer.post('/console/app-token', {
      app_id: platform.app.uuid,
      access: 'write',
    });
    expect(answer.status).toBe(403);
    const entry = (await entriesOf()).find(({ action }) => action === 'app_token.issue_refused');
    expect(entry).toMatchObject({ actor_subject: 'viewer', code: 'access_denied', outcome: 'refused' });
  });

  test('the use of the administration token is noted once', async () => {
    const used = (await actionsOf()).filter((action) => action === 'administration_token.used');
    expect(used).toHaveLength(1);
  });
});

test('what a person does to an object is found by its id', async () => {
  const { uuid: app_uuid } = platform.app;
  const object = '01990000-0000-7000-8000-000000000001';
  const entries = await until(
    async () => {
      const { json } = await adminCall(platform.gateway.baseUrl, 'ListAuditEntries', {
        app_uuid,
        object_id: object,
      });
      return json['entries'] as Entry[];
    },
    { what: 'the entries are listed', withinMs: 20_000 },
  );
  expect(entries.map(({ method }) => method)).toContain('PATCH /webhooks/:webhook_id');
  expect(new Set(entries.map(({ object_id }) => object_id))).toEqual(new Set([object]));
});
