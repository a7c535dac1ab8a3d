import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ODD_NAMES } from '@parley/contract/testing/odd-names';
import fc from 'fast-check';
import { requestOf } from '../src/pending/request.ts';
import type { Action } from '../src/records/operation.ts';
import { pathTo } from '../src/path.ts';
import { pathOf } from '../src/server/path.ts';
import { createServerClient, ParleyError, type ServerClient } from '../src/server/index.ts';

type Described = { paths: Record<string, Record<string, { operationId: string; security?: object[] }>> };
type Called = Record<string, (...given: unknown[]) => Promise<unknown>>;

const APP = '01990000-0000-7000-8000-000000000001';
const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/openapi.json');
const UUID = '01990000-0000-7000-8000-00000000000c';

/** Odd names, and the URIs of this deployment and of another that a careless application makes of them. */
const NAMES = fc.oneof(
  fc.constantFrom(...ODD_NAMES, '', '\ud800', 'a\udc00', UUID),
  fc.constantFrom(...ODD_NAMES).map((name) => `svc:///identities/${name}`),
  fc.constantFrom(...ODD_NAMES).map((name) => `svc:///identities/${encodeURIComponent(name)}`),
  fc.constantFrom(...ODD_NAMES).map((name) => `svc:///messages/${name}`),
  fc.constantFrom(...ODD_NAMES).map((name) => `svc:///conversations/${name}/parts/${name}`),
  fc.string({ unit: 'binary', maxLength: 256 }),
);

/** As a browser and fetch read an address. */
function segmentsOf(url: string): string[] {
  const { pathname, hash } = new URL(url, 'https://chat.example');
  expect(hash).toBe('');
  return pathname.split('/').slice(1);
}

/** The address has the form of the template, and each of its parameters is one segment that no proxy takes away. */
function expectForm(url: string, template: string): void {
  const segments = segmentsOf(url);
  const wanted = template.split('/').slice(1);
  expect(segments).toHaveLength(wanted.length);
  for (const [at, literal] of wanted.entries()) {
    const name = decodeURIComponent(segments[at] ?? '');
    if (/^[{:*]/.test(literal)) expect(['', '.', '..']).not.toContain(name);
    else expect(segments[at]).toBe(literal);
  }
}

function expectInvalidId(error: unknown): void {
  expect(error).toBeInstanceOf(ParleyError);
  expect((error as ParleyError).id).toBe('invalid_id');
}

describe('the server client', () => {
  let asked: string[] = [];
  const server: ServerClient = createServerClient({
    url: 'https://chat.example',
    appId: `svc:///apps/production/${APP}`,
    accessToken: 'x',
    fetch: (input) => {
      asked.push(input instanceof Request ? input.url : String(input));
      return Promise.resolve(new Response('{}'));
    },
  });
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Described;
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((scheme) => 'bearer' in scheme))
      .map(([, { operationId }]) => ({ operationId, template })),
  );

  test.each(operations)(
    '$operationId builds $template for any names, or throws',
    async ({ operationId, template }) => {
      const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const own = parameters.filter((name) => name !== 'app_uuid' && name !== 'as_user_id');
      await fc.assert(
        fc.asyncProperty(fc.array(NAMES, { minLength: 3, maxLength: 4 }), NAMES, async (names, user) => {
          asked = [];
          const methods = (operationId.endsWith('AsUser') ? server.as(user) : server) as unknown as Called;
          const method = methods[operationId.replace(/As(Server|User)$/, '')];
          expect(method).toBeInstanceOf(Function);
          try {
            await method?.(...names.slice(0, own.length), {}, {});
          } catch (error) {
            expectInvalidId(error);
            expect(asked).toEqual([]);
            return;
          }
          expect(asked).toHaveLength(1);
          expectForm(asked[0] ?? '', template);
        }),
        { numRuns: 30 },
      );
    },
  );

  test.each(['.', '..', '', 'svc:///identities/', 'chat:///identities/ada', 'svc:///messages/x', '\ud800'])(
    'takes %j for no user',
    async (user) => {
      asked = [];
      const calls: (() => Promise<unknown>)[] = [
        () => server.as(user).listConversations(),
        () => server.eraseUser(user),
        () => server.followUserForUser('ada', user),
        () => server.as(user).deleteConversation(UUID, { mode: 'my_devices' }),
      ];
      for (const call of calls)
        expectInvalidId(
          await Promise.resolve()
            .then(call)
            .catch((error: unknown) => error),
        );
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ['ada', 'ada'],
    ['svc:///identities/ada', 'ada'],
    ['svc:///identities/a%2Fb', 'a%2Fb'],
    ['%2e%2e', '%252e%252e'],
    ['e\u0301', 'e%CC%81'],
    // Users from before such ids were refused, whom only the URI names.
    ['svc:///identities/..', 'svc%3A%2F%2F%2Fidentities%2F..'],
    ['svc:///identities/%2E', 'svc%3A%2F%2F%2Fidentities%2F%252E'],
    [
      'svc:///identities/svc%3A%2F%2F%2Fidentities%2Fada',
      'svc%3A%2F%2F%2Fidentities%2Fsvc%253A%252F%252F%252Fidentities%252Fada',
    ],
  ])('takes %s for the user of the segment %s', async (user, segment) => {
    asked = [];
    await server.eraseUser(user);
    expect(asked).toEqual([`https://chat.example/apps/${APP}/users/${segment}`]);
  });

  test.each(['..', '', `svc:///messages/${APP}`, `chat:///apps/x/${APP}`])(
    'takes %j for no application',
    async (appId) => {
      const call = async () =>
        createServerClient({
          url: 'https://chat.example',
          appId,
          accessToken: 'x',
          wireName: 'svc',
        }).listExports();
      expectInvalidId(await call().catch((error: unknown) => error));
    },
  );
});

test('every action of a device builds its path for any ids, or throws', () => {
  const actions = (a: string, b: string, c: string): [string, Action][] => [
    ['/conversations/:id/messages', { kind: 'send', conversation: a, message: b, parts: [] }],
    ['/conversations/:id', { kind: 'patch', conversation: a, steps: [] }],
    ['/conversations/:id', { kind: 'deleteConversation', conversation: a, mode: 'my_devices', leave: true }],
    ['/messages/:id', { kind: 'deleteMessage', conversation: a, message: b, mode: 'my_devices' }],
    ['/messages/:id/receipts', { kind: 'receipt', conversation: a, message: b, type: 'read' }],
    ['/conversations/:id/mark_all_read', { kind: 'markAllRead', conversation: a, position: 1 }],
    ['/announcements/:id/receipts', { kind: 'announcementReceipt', announcement: a, type: 'read' }],
    ['/announcements/:id', { kind: 'deleteAnnouncement', announcement: a }],
    [
      '/messages/:id/parts',
      { kind: 'editParts', conversation: a, message: b, edit: { kind: 'replaceAll', parts: [] } },
    ],
    [
      '/messages/:id/parts/:id',
      { kind: 'editParts', conversation: a, message: b, edit: { kind: 'remove', part: c } },
    ],
  ];
  fc.assert(
    fc.property(NAMES, NAMES, NAMES, (a, b, c) => {
      for (const [template, action] of actions(a, b, c)) {
        try {
          expectForm(requestOf(action, 'svc').path, template);
        } catch (error) {
          if (!(error instanceof ParleyError)) throw error;
          expectInvalidId(error);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test.each<[string, Action]>([
  [
    '/messages/m',
    { kind: 'deleteMessage', conversation: 'c', message: 'svc:///messages/m', mode: 'my_devices' },
  ],
  ['/messages/m', { kind: 'deleteMessage', conversation: 'c', message: 'm', mode: 'my_devices' }],
  [
    '/messages/m/parts/p',
    {
      kind: 'editParts',
      conversation: 'c',
      message: 'm',
      edit: { kind: 'remove', part: 'svc:///messages/m/parts/p' },
    },
  ],
])('an action of a device goes to %s', (expected, action) => {
  expect(requestOf(action, 'svc').path.replace(/\?.*/, '')).toBe(expected);
});

test.each([
  'chat:///messages/m',
  'svc:///conversations/m',
  'asvc:///messages/m',
  'svc:///messages/m/parts/p',
])('a device takes %s for no message', (message) => {
  const action: Action = { kind: 'deleteMessage', conversation: 'c', message, mode: 'my_devices' };
  expect(() => requestOf(action, 'svc')).toThrow(ParleyError);
});

test('a device takes the part of another message for no part', () => {
  const edit = { kind: 'remove', part: 'svc:///messages/other/parts/p' } as const;
  const action: Action = { kind: 'editParts', conversation: 'c', message: 'm', edit };
  expect(() => requestOf(action, 'svc')).toThrow(ParleyError);
});

test('a name of a path is one segment, or throws', () => {
  fc.assert(
    fc.property(NAMES, NAMES, (a, b) => {
      try {
        expectForm(pathTo`/users/${a}/devices/${b}`, '/users/:a/devices/:b');
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        expectInvalidId(error);
      }
    }),
    { numRuns: 500 },
  );
  for (const name of ['', '.', '..', '\ud800']) expect(() => pathTo`/blocks/${name}`).toThrow(ParleyError);
});

test('each template of the server client has parameters of a kind, and refuses the URI of something else', () => {
  const generated = readFileSync(path.resolve(import.meta.dirname, '../gen/server-operations.ts'), 'utf8');
  const templates = [...generated.matchAll(/path: '([^']*)'/g)].map(([, found = '']) => found);
  expect(templates.length).toBeGreaterThan(80);
  for (const template of new Set(templates)) {
    const parameters = [...template.matchAll(/:\w+|\*/g)].map(([name]) => name);
    const build = (name: string) => pathOf(template, 'svc', ...parameters.map(() => name));
    if (parameters.length === 0) continue;
    if (parameters.every((name) => name === '*')) expectForm(build('chat:///bogus/x'), template);
    else expect(() => build('chat:///bogus/x')).toThrow(ParleyError);
    expect(() => build('..')).toThrow(ParleyError);
  }
});
