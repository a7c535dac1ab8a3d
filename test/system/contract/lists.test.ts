import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call, type Answer } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { subscribe, WEBHOOKS_TYPE, type Subscribed } from '../../support/webhooks.ts';
import { five, reactions, restrictions, users, type List } from './list-of-five.ts';

// Changes of a list between two of its pages: docs/protocol/requests.md#lists

let app: TestApp;
const hooks: Subscribed[] = [];

beforeAll(async () => {
  app = await createApp(await platform());
  await app.login('bob');
  await app.server('POST', '/users/herald/identity', 201, { body: { type: 'bot', display_name: 'Herald' } });
});
afterAll(() => Promise.all(hooks.map(({ receiver }) => receiver.stop())));

async function newUser(): Promise<TestUser> {
  return app.login(`user-${randomUUID()}`);
}

async function createConversation(user: TestUser): Promise<string> {
  const { body } = await user.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  return uuidOf(body.id);
}

function send(user: TestUser, conversation: string): Promise<Answer> {
  return user.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts: [textPart('hello')] },
  });
}

async function conversationsOf(sort: string): Promise<List> {
  const user = await newUser();
  const ids = await five(() => createConversation(user));
  for (const id of ids) await send(user, id);
  return {
    read: (query) => user.call('GET', `/conversations?sort_by=${sort}${query}`, 200),
    readAddress: (url) => user.call('GET', url, 200),
    disturbances: {
      hides: (id) => user.call('DELETE', `/conversations/${id}`, 204),
      leaves: (id) => user.call('DELETE', `/conversations/${id}?leave=true`, 204),
      'is removed from': (id) =>
        app.server('PATCH', `/conversations/${id}`, 204, {
          body: [{ operation: 'remove', property: 'participants', id: user.id }],
        }),
      'sees deleted for all': (id) => user.call('DELETE', `/conversations/${id}?mode=all_participants`, 204),
      'sees moved by a message': (id) => send(user, id),
      'sees moved and hides': async (id) => {
        await send(user, id);
        await user.call('DELETE', `/conversations/${id}`, 204);
      },
      'has another before': () => createConversation(user),
    },
  };
}

async function conversationsForServer(): Promise<List> {
  const user = await newUser();
  await five(async () => send(user, await createConversation(user)));
  return {
    read: (query) => app.server('GET', `/users/${user.id}/conversations?sort_by=last_message${query}`, 200),
    readAddress: (url) => app.server('GET', url.slice(url.indexOf('/users/')), 200),
    disturbances: {
      'hides for the user': (id) => user.call('DELETE', `/conversations/${id}`, 204),
      'sees moved by a message': (id) => send(user, id),
      'has another before': () => createConversation(user),
    },
  };
}

async function conversationsOfApp(): Promise<List> {
  const other = await createApp(await platform());
  const user = await other.login('ada');
  await other.login('bob');
  await five(() => createConversation(user));
  return {
    read: (query) => other.server('GET', `/conversations?${query}`, 200),
    disturbances: {
      deletes: (id) => other.server('DELETE', `/conversations/${id}`, 204),
      'has another before': () => createConversation(user),
    },
  };
}

async function messages(byServer: boolean): Promise<List> {
  const user = await newUser();
  const conversation = await createConversation(user);
  await five(() => send(user, conversation));
  const path = `/conversations/${conversation}/messages`;
  const forAll = (id: string) => user.call('DELETE', `/messages/${id}?mode=all_participants`, 204);
  return {
    read: (query) =>
      byServer ? app.server('GET', `${path}?${query}`, 200) : user.call('GET', `${path}?${query}`, 200),
    disturbances: {
      'sees deleted for all': forAll,
      'has another before': () => send(user, conversation),
      ...(!byServer && { 'deletes for themselves': (id) => user.call('DELETE', `/messages/${id}`, 204) }),
    },
  };
}

async function scheduledMessages(): Promise<List> {
  const user = await newUser();
  const conversation = await createConversation(user);
  const schedule = (delay_in_seconds: number) =>
    app.server('POST', `/conversations/${conversation}/messages`, 202, {
      body: { sender_id: user.uri, parts: [textPart('later')], schedule: { delay_in_seconds } },
    });
  await five((index) => schedule(200 + index));
  const path = `/conversations/${conversation}/scheduled_messages`;
  let earlier = 199;
  return {
    read: (query) => app.server('GET', `${path}?${query}`, 200),
    disturbances: {
      cancels: (id) => app.server('DELETE', `${path}/${id}`, 204),
      'has another before': () => schedule(earlier--),
    },
  };
}

async function announcements(): Promise<List> {
  const user = await newUser();
  const announce = () =>
    app.server('POST', '/announcements', 202, {
      body: { recipients: [user.id], sender_id: 'herald', parts: [textPart('hear')] },
    });
  const read = (query: string) => user.call('GET', `/announcements?${query}`, 200);
  const untilCount = (count: number) =>
    until(`${count} announcements arrive`, async () => {
      const { headers } = await read('&page_size=1');
      return Number(headers['svc-count']) >= count || undefined;
    });
  await five(announce);
  await untilCount(5);
  let count = 5;
  return {
    read,
    disturbances: {
      deletes: (id) => user.call('DELETE', `/announcements/${id}`, 204),
      'has another before': async () => {
        await announce();
        await untilCount(++count);
      },
    },
  };
}

async function followed(list: 'following' | 'identities'): Promise<List> {
  const user = await newUser();
  const follow = async (name: string) => {
    await app.login(name);
    await user.call('PUT', `/following/users/${name}`, 204);
  };
  const mark = randomUUID();
  await five((index) => follow(`m${index}-${mark}`));
  let before = 0;
  return {
    read: (query) => user.call('GET', `/${list}?${query}`, 200),
    disturbances: {
      unfollows: (id) => user.call('DELETE', `/following/users/${id}`, 204),
      'sees erased': (id) => app.server('DELETE', `/users/${id}`, 202),
      'has another before': () => follow(`a${before++}-${mark}`),
    },
  };
}

async function deliveries(): Promise<List> {
  const other = await createApp(await platform());
  const user = await other.login('ada');
  await other.login('bob');
  const hook = await subscribe(other, ['Conversation.created']);
  hooks.push(hook);
  const deliver = async () => {
    const count = hook.receiver.received.length + 1;
    await createConversation(user);
    await hook.receiver.wait(count);
  };
  await five(deliver);
  const path = `/webhooks/${hook.uuid}/deliveries?`;
  return {
    read: (query) => other.server('GET', path + query, 200, { headers: { accept: WEBHOOKS_TYPE } }),
    disturbances: { 'has another before': deliver },
  };
}

const lists: Record<string, () => Promise<List>> = {
  'GET /conversations': () => conversationsOf('created_at'),
  'GET /conversations by last message': () => conversationsOf('last_message'),
  'GET /conversations of a user for a server': conversationsForServer,
  'GET /apps/:app_uuid/conversations': conversationsOfApp,
  'GET /conversations/:conversation_id/messages': () => messages(false),
  'GET /apps/:app_uuid/conversations/:conversation_id/messages': () => messages(true),
  'GET /apps/:app_uuid/conversations/:conversation_id/scheduled_messages': scheduledMessages,
  'GET /messages/:message_id/reactions': () => reactions(app, false),
  'GET /apps/:app_uuid/conversations/:conversation_id/messages/:message_id/reactions': () =>
    reactions(app, true),
  'GET /conversations/:conversation_id/restrictions': () => restrictions(app, false),
  'GET /apps/:app_uuid/conversations/:conversation_id/restrictions': () => restrictions(app, true),
  'GET /announcements': announcements,
  'GET /following': () => followed('following'),
  'GET /identities': () => followed('identities'),
  'GET /apps/:app_uuid/users': () => users(false),
  'GET /apps/:app_uuid/users of a suspended user': () => users(true),
  'GET /apps/:app_uuid/webhooks/:webhook_id/deliveries': deliveries,
};

/** Lists with `from_id` that are tried elsewhere, or are those above under another path. */
const elsewhere = [
  'GET /apps/:app_uuid/users/:owner_user_id/following',
  'GET /apps/:app_uuid/users/:owner_user_id/identities',
  'GET /apps/:app_uuid/users/:as_user_id/conversations',
  'GET /apps/:app_uuid/users/:as_user_id/conversations/:conversation_id/messages',
  'GET /apps/:app_uuid/users/:as_user_id/messages/:message_id/reactions',
  'GET /apps/:app_uuid/users/:as_user_id/conversations/:conversation_id/restrictions',
  'GET /apps/:app_uuid/users/:as_user_id/announcements',
  // services/push/test/list.test.ts: pushes need a push service.
  'GET /apps/:app_uuid/users/:user_id/pushes',
];

function idOf(item: Json | string): string {
  if (typeof item === 'string') return item;
  return decodeURIComponent(uuidOf(uriOf(item)));
}

function uriOf(item: Json): string {
  return item.id ?? (item.identity ?? item.user).id;
}

const MAX_PAGES = 12;

type Step = (page: Answer) => Promise<Answer>;

/** The ids of all pages in their order. Between two pages the disturbance happens to the last item of the first of them. */
async function readAll(list: List, disturb: (id: string) => Promise<unknown>, next: Step): Promise<string[]> {
  const seen: string[] = [];
  let page = await list.read('&page_size=2');
  for (let pages = 1; pages < MAX_PAGES; pages++) {
    const ids = (page.body as (Json | string)[]).map(idOf);
    const last = ids.at(-1);
    if (last === undefined) return seen;
    seen.push(...ids);
    await disturb(last);
    page = await next(page);
  }
  throw new Error(`paging does not end: ${seen.join(', ')}`);
}

function byId(list: List): Step {
  return ({ body }) => {
    const last = (body as (Json | string)[]).at(-1)!;
    return list.read(
      `&page_size=2&from_id=${encodeURIComponent(typeof last === 'string' ? last : uriOf(last))}`,
    );
  };
}

function byLink(list: List): Step {
  return async (page) => {
    const [, url] = /^<(.*)>; rel="next"$/.exec(page.headers['link'] ?? '') ?? [];
    return url === undefined ? { ...page, body: [] } : list.readAddress!(url);
  };
}

async function expectEachOnce(make: () => Promise<List>, follow: (list: List) => Step): Promise<void> {
  const { disturbances } = await make();
  for (const name of Object.keys(disturbances)) {
    const list = await make();
    const before = ((await list.read('')).body as (Json | string)[]).map(idOf).slice(0, 5);
    const disturb = list.disturbances[name]!;
    const seen = await readAll(list, disturb, follow(list)).catch((cause: unknown) => {
      throw new Error(`when the reader ${name}`, { cause });
    });
    expect({ name, seen: seen.slice(0, 5) }).toEqual({ name, seen: before });
    expect(seen).toHaveLength(new Set(seen).size);
  }
}

test.each(Object.entries(lists))(
  'pages of %s show each item once, whatever becomes of the last one before',
  (_name, make) => expectEachOnce(make, byId),
);

test.each(['GET /conversations by last message', 'GET /conversations of a user for a server'])(
  'pages of %s that follow the Link show each item once',
  (name) => expectEachOnce(lists[name]!, byLink),
);

test('every list with from_id is tried', async () => {
  const { body } = await call('GET', `${app.baseUrl}/openapi.json`, 200, { headers: { accept: undefined } });
  const paged = Object.entries(body.paths as Record<string, Json>)
    .filter(([, { get }]) => JSON.stringify(get?.parameters ?? '').includes('from_id'))
    .map(([path]) => `GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  const tried = [...Object.keys(lists).filter((name) => !/ by | of a /.test(name)), ...elsewhere];
  expect(paged.sort()).toEqual(tried.sort());
});
