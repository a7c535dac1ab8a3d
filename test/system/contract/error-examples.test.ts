import { createApp, textPart, type TestApp, type TestUser } from '../../support/app.ts';
import { call, MEDIA_TYPE, type Call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

/** Ids that the examples of the documentation use. */
const DOCUMENTED_APP = '01990000-0000-7000-8000-000000000001';
const CONVERSATION = '01990000-0000-7000-8000-00000000000c';
const MESSAGE = '01990000-0000-7000-8000-00000000000d';
const DELETED = '01990000-0000-7000-8000-000000000012';

/** Errors whose examples need an outage, a wait or a megabyte. */
const NOT_PROVOKED = new Set([
  'app_suspended',
  'internal_server_error',
  'rate_limit_exceeded',
  'request_entity_too_large',
  'request_timeout',
  'service_unavailable',
]);

let app: TestApp;
let users: Map<string, TestUser>;
let page: string;

beforeAll(async () => {
  app = await createApp(await platform());
  const names = ['ada', 'grace', 'eve', 'frank', 'trudy', 'mallory'];
  users = new Map(await Promise.all(names.map(async (name) => [name, await app.login(name)] as const)));
  await prepare();
  page = (await call('GET', `${app.baseUrl}/docs/errors`, 200)).text;
});

/** Prepares everything that the examples assume. */
async function prepare(): Promise<void> {
  const ada = users.get('ada')!;
  const create = (id: string, participants: string[]) =>
    ada.call('POST', '/conversations', 201, { body: { id, participants } });
  await create(CONVERSATION, ['grace', 'eve']);
  await create(DELETED, ['grace']);
  const body = { id: MESSAGE, parts: [textPart('Hello')] };
  await ada.call('POST', `/conversations/${CONVERSATION}/messages`, 201, { body });
  const removal = [{ operation: 'remove', property: 'participants', id: 'eve' }];
  await ada.call('PATCH', `/conversations/${CONVERSATION}`, 204, { body: removal });
  await app.server('DELETE', `/conversations/${DELETED}`, 204);
  await users.get('trudy')!.call('PUT', '/blocks/ada', 204);
  // An upload counts with its declared size from its beginning.
  for (const half of ['2147483648', '2147483648']) {
    const headers = { 'upload-content-type': 'video/mp4', 'upload-content-length': half };
    await ada.call('POST', '/content', 201, { headers });
  }
  const suspension = [{ operation: 'set', property: 'suspended', value: true }];
  await app.server('PATCH', '/users/mallory', 202, { body: suspension });
}

type Example = { sender: string; request: string; answer: string };

function textOf(html: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '');
}

function exampleOf(id: string): Example {
  const section = page.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
  const sender = /<p>\s*Sent ([^.]*)\./.exec(section)?.[1] ?? '';
  const [request = '', answer = ''] = [...section.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, text = '']) =>
    textOf(text).replaceAll(DOCUMENTED_APP, app.appUuid),
  );
  return { sender, request, answer };
}

function authorizationOf(sender: string): string | undefined {
  if (sender === 'without a token') return undefined;
  const user = /^by the user (\w+)$/.exec(sender)?.[1];
  const token = user === undefined ? undefined : users.get(user)?.token;
  return user === undefined ? `Bearer ${app.accessToken}` : `Svc session-token="${token}"`;
}

async function send({ sender, request }: Example, status: number) {
  const [head = '', raw] = request.split(/\n\n(.*)/s);
  const [line = '', ...headerLines] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const given = Object.fromEntries(headerLines.map((one) => one.toLowerCase().split(': ', 2)));
  const options: Call = { headers: { accept: MEDIA_TYPE, authorization: authorizationOf(sender), ...given } };
  if (raw !== undefined) options.raw = raw;
  return call(method, `${app.baseUrl}${path}`, status, options);
}

function ids(): string[] {
  return [...page.matchAll(/<section id="(?!eit_)(\w+)">/g)].map(([, id = '']) => id);
}

test('the examples of the documentation are answered as it says', async () => {
  expect(ids()).toHaveLength(25);
  for (const id of ids()) {
    if (NOT_PROVOKED.has(id)) continue;
    const example = exampleOf(id);
    const [status = '', text = ''] = example.answer.split(/\n\n(.*)/s);
    const { body } = await send(example, Number(status.slice(0, 3)));
    expect(body).toEqual(JSON.parse(text));
  }
});

test('a login with an identity token that is refused for a reason leads to the section of the reason', async () => {
  const identity_token = await app.identityToken('ada', { claims: { exp: 1 } });
  const login = { body: { identity_token, app_id: app.appId } };
  const { body } = await call('POST', `${app.baseUrl}/sessions`, 422, login);
  expect(body.data).toEqual({ property: 'identity_token', reason: 'eit_expired' });
  expect(page).toContain(`<section id="${body.data.reason}">`);
  expect(page).toContain(body.message);
});
