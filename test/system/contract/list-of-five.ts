import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import type { Answer } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

/** A list of five items that nothing else changes. */
export type List = {
  /** Reads the address of a page. `query` begins with `&`. */
  read(query: string): Promise<Answer>;
  readAddress?(url: string): Promise<Answer>;
  /** Acts on the last item of the page that was just read, given its id. */
  disturbances: Record<string, (id: string) => Promise<unknown>>;
};

export async function five<T>(make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < 5; index++) made.push(await make(index));
  return made;
}

/** Users of an application of their own, all suspended or none of them, with a bot that the list leaves out. */
export async function users(suspended: boolean): Promise<List> {
  const other = await createApp(await platform());
  const suspend = (id: string, value: boolean) =>
    other.server('PATCH', `/users/${id}`, 202, {
      body: [{ operation: 'set', property: 'suspended', value }],
    });
  const add = async (id: string) => {
    await other.login(id);
    if (suspended) await suspend(id, true);
  };
  await five((index) => add(`m${index}`));
  await other.server('POST', '/users/m2bot/identity', 201, { body: { type: 'bot', display_name: 'Bot' } });
  let before = 0;
  return {
    read: (query) => other.server('GET', `/users?type=user&suspended=${suspended}${query}`, 200),
    disturbances: {
      'sees erased': (id) => other.server('DELETE', `/users/${id}`, 202),
      'sees changed': (id) => suspend(id, !suspended),
      'has another before': () => add(`a${before++}`),
    },
  };
}

/** Reactions of one user to one message. */
export async function reactions(app: TestApp, byServer: boolean): Promise<List> {
  const user = await app.login(`user-${randomUUID()}`);
  const { id } = (await user.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
  const messages = `/conversations/${uuidOf(id)}/messages`;
  const message = (await user.call('POST', messages, 201, { body: { parts: [textPart('hello')] } })).body;
  const path = `/messages/${uuidOf(message.id)}/reactions`;
  const react = (key: string) => user.call('PUT', `${path}/${key}`, 204);
  await five((index) => react(`m${index}`));
  let later = 0;
  const read = (query: string) =>
    byServer
      ? app.server('GET', `/conversations/${uuidOf(id)}${path}?${query}`, 200)
      : user.call('GET', `${path}?${query}`, 200);
  const keyOf = async (reaction: string) =>
    (await read('')).body.find((one: Json) => uuidOf(one.id) === reaction).key as string;
  return {
    read,
    disturbances: {
      'takes back': async (reaction) => user.call('DELETE', `${path}/${await keyOf(reaction)}`, 204),
      'has another before': () => react(`l${later++}`),
    },
  };
}

/** Restrictions in one conversation. */
export async function restrictions(app: TestApp, byServer: boolean): Promise<List> {
  const mark = randomUUID();
  const names = Array.from({ length: 12 }, (_, index) => `user ${index} ${mark}`);
  const [owner] = await Promise.all([app.login(`owner ${mark}`), ...names.map((name) => app.login(name))]);
  const participants = [owner.id, ...names];
  const body = { participants, distinct: false, roles: { [owner.id]: 'owner' } };
  const path = `/conversations/${uuidOf((await app.server('POST', '/conversations', 201, { body })).body.id)}/restrictions`;
  const mute = (name: string) =>
    app.server('PUT', `${path}/${encodeURIComponent(name)}`, 204, { body: { type: 'mute' } });
  await five((index) => mute(names[index]!));
  let later = 5;
  return {
    read: (query) =>
      byServer ? app.server('GET', `${path}?${query}`, 200) : owner.call('GET', `${path}?${query}`, 200),
    disturbances: {
      lifts: (name) => app.server('DELETE', `${path}/${encodeURIComponent(name)}`, 204),
      'has another before': () => mute(names[later++]!),
    },
  };
}
