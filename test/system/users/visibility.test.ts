import { readFile } from 'node:fs/promises';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import type { TestSocket } from '../../support/socket.ts';
import {
  EFFECTS,
  EVENTS,
  PACKETS,
  READINGS,
  RELATIONS,
  type Relation,
  type Sight,
} from './visibility/rows.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createApp(await platform());
});

const rowsOf = (table: Readonly<Record<string, unknown>>): string[] => Object.keys(table).sort();

describe('the table has a row', () => {
  test('for every kind of event', async () => {
    const file = new URL('../../../proto/parley/event/v1/event.proto', import.meta.url);
    const body = /oneof body \{([^}]*)\}/.exec(await readFile(file, 'utf8'))?.[1] ?? '';
    const kinds = [...body.matchAll(/^\s*\w+ (\w+) = \d+;/gm)].map(([, kind]) => kind);
    expect(kinds.length).toBeGreaterThan(20);
    expect(rowsOf(EVENTS)).toEqual(kinds.sort());
  });

  test('for every packet of a socket that answers no request', async () => {
    const { operations } = (await call('GET', `${app.baseUrl}/asyncapi.json`, 200)).body as {
      operations: Record<string, { action: string; reply?: unknown; channel: { $ref: string } }>;
    };
    const sent = Object.entries(operations).filter(
      ([, one]) => one.action === 'send' && one.channel.$ref.includes('socket'),
    );
    expect(sent.length).toBeGreaterThan(3);
    expect(rowsOf(PACKETS)).toEqual(sent.map(([name]) => name).sort());
  });

  test('for every reading of a user', async () => {
    const { paths } = (await call('GET', `${app.baseUrl}/openapi.json`, 200)).body as {
      paths: Record<string, { get?: { operationId: string; security?: Record<string, unknown>[] } }>;
    };
    const read = Object.values(paths).flatMap(({ get }) =>
      get?.security?.some((one) => 'session' in one) ? [get.operationId] : [],
    );
    expect(read.length).toBeGreaterThan(15);
    expect(rowsOf(READINGS)).toEqual(read.sort());
  });

  test('for every effect that a row names', () => {
    const named = [...Object.values(EVENTS), ...Object.values(PACKETS)].flatMap((row) =>
      Array.isArray(row) ? (row as string[]) : [],
    );
    expect([...new Set(named)].sort()).toEqual(EFFECTS.map(({ effect }) => effect).sort());
  });
});

type World = {
  relation: Relation;
  ann: TestUser;
  bob: TestUser;
  cid: TestUser;
  conversation: Json;
  /** Two messages that ann sent before; the second one is deleted. */
  message: Json;
  doomed: Json;
  bobs: TestSocket;
  cids: TestSocket;
};

async function send(user: TestUser, conversation: Json, text: string): Promise<Json> {
  const body = { parts: [textPart(text)] };
  return (await user.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, { body })).body;
}

async function createWorld(relation: Relation): Promise<World> {
  const [ann, bob, cid] = await Promise.all(
    ['ann', 'bob', 'cid'].map((name) => app.login(`${relation}-${name}`)),
  );
  const people = { ann: ann!, bob: bob!, cid: cid! };
  const isNewcomer = relation === 'newcomer';
  const first = isNewcomer ? [people.ann, people.cid] : [people.ann, people.bob, people.cid];
  const body = { participants: first.map(({ id }) => id) };
  const conversation = (await people.cid.call('POST', '/conversations', 201, { body })).body;
  const message = await send(people.ann, conversation, 'from before');
  const earlier = await send(people.ann, conversation, 'from before, too');
  if (isNewcomer) {
    const step = { operation: 'add', property: 'participants', id: people.bob.id, history: 'none' };
    await people.cid.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: [step] });
  }
  if (relation === 'blocked') await people.bob.call('PUT', `/blocks/${people.ann.id}`, 204);
  const doomed = relation === 'blocked' ? await send(people.ann, conversation, 'never seen') : earlier;
  if (relation === 'hidden')
    await people.bob.call('DELETE', `/messages/${uuidOf(message.id)}?mode=my_devices`, 204);
  if (relation === 'suspended') {
    const suspend = [{ operation: 'set', property: 'suspended', value: true }];
    await app.server('PATCH', `/users/${people.ann.id}`, 202, { body: suspend });
  }
  if (relation === 'shadowed') {
    const restriction = { type: 'shadow' };
    await app.server('PUT', `/users/${people.ann.id}/restriction`, 204, { body: restriction });
  }
  if (relation === 'erased') {
    await app.server('DELETE', `/users/${people.ann.id}`, 202);
    const read = `/conversations/${uuidOf(conversation.id)}/messages`;
    await until(
      'the messages are erased',
      async () => (await people.cid.call('GET', read, 200)).body.length === 0,
    );
  }
  if (relation === 'left') {
    const leave = [{ operation: 'remove', property: 'participants', id: people.bob.uri }];
    await people.cid.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: leave });
  }
  const [bobs, cids] = [await people.bob.connect(), await people.cid.connect()];
  return { relation, ...people, conversation, message, doomed, bobs, cids };
}

/** Does something as ann, in a way that the relation leaves; answers the text that shows it in packets and readings. */
type Act = (world: World, text: string) => Promise<string>;

function expected(world: World, usual: number, refused: number): number {
  return world.relation === 'erased' ? refused : usual;
}

/** Changes ann's message: as ann under a shadow restriction, by which servers are not bound, else as the server. */
async function change(
  world: World,
  method: string,
  { suffix, status, body }: { suffix: string; status: number; body: unknown },
): Promise<void> {
  const { relation, ann, message, conversation } = world;
  const at = `/messages/${uuidOf(message.id)}${suffix}`;
  const path = `/conversations/${uuidOf(conversation.id)}${at}`;
  if (relation === 'shadowed') await ann.call(method, at, status, { body });
  else await app.server(method, path, expected(world, status, 410), { body });
}

const ACTS: Record<string, Act> = {
  async send(world, text) {
    const { conversation, ann } = world;
    if (world.relation === 'shadowed') {
      await send(ann, conversation, text);
      return text;
    }
    const body = { sender_id: ann.id, parts: [textPart(text)] };
    await app.server(
      'POST',
      `/conversations/${uuidOf(conversation.id)}/messages`,
      expected(world, 201, 404),
      { body },
    );
    return text;
  },
  async 'add a part'(world, text) {
    await change(world, 'POST', { suffix: '/parts', status: 201, body: textPart(text) });
    return text;
  },
  async 'replace the parts'(world, text) {
    await change(world, 'PUT', { suffix: '/parts', status: 200, body: [textPart(text)] });
    return text;
  },
  async 'change the metadata of a message'(world, text) {
    const body = [{ operation: 'set', property: 'metadata.note', value: text }];
    await change(world, 'PATCH', { suffix: '', status: 204, body });
    return text;
  },
  async react(world, text) {
    const { relation, ann, message } = world;
    const path = `/messages/${uuidOf(message.id)}/reactions/${encodeURIComponent(text)}`;
    const isRefused = relation === 'suspended' || relation === 'erased';
    await ann.call('PUT', path, isRefused ? 401 : 204);
    return text;
  },
  async 'delete for all'(world) {
    const { conversation, doomed } = world;
    const path = `/conversations/${uuidOf(conversation.id)}/messages/${uuidOf(doomed.id)}`;
    await app.server('DELETE', path, 204);
    return `"delete","object":{"type":"Message","id":"${doomed.id}"`;
  },
  async type(world) {
    const { ann, conversation } = world;
    if (world.relation === 'shadowed') {
      const anns = await ann.connect();
      anns.signal({ type: 'typing_indicator', object: { id: conversation.id }, data: { action: 'started' } });
      await anns.request('Presence.sync', { data: { ids: [] } });
      await anns.close();
      return '"typing_indicator"';
    }
    const body = {
      ...{ sender_id: ann.id, parts: [textPart('later')] },
      schedule: { delay_in_seconds: 300, typing_indicator_in_seconds: 300 },
    };
    const path = `/conversations/${uuidOf(conversation.id)}/messages`;
    await app.server('POST', path, expected(world, 202, 404), { body });
    return '"typing_indicator"';
  },
  async 'patch metadata'({ conversation, ann, relation }, text) {
    const body = [{ operation: 'set', property: 'metadata.note', value: text }];
    const path = `/conversations/${uuidOf(conversation.id)}`;
    if (relation === 'suspended' || relation === 'erased') await app.server('PATCH', path, 204, { body });
    else await ann.call('PATCH', path, 204, { body });
    return text;
  },
};

/** All that a user reads: every reading of the table, as text. */
async function readAll(user: TestUser, { conversation, message, ann }: World): Promise<string> {
  const texts: string[] = [];
  for (const reading of Object.values(READINGS)) {
    if (typeof reading !== 'string') continue;
    const path = reading
      .replace(':conversation', uuidOf(conversation.id))
      .replace(':message', uuidOf(message.id))
      .replace(':user', ann.id);
    const response = await fetch(`${app.baseUrl}${path}`, {
      headers: {
        accept: 'application/vnd.svc+json; version=3.0',
        authorization: `Svc session-token="${user.token}"`,
      },
    });
    expect([200, 404]).toContain(response.status);
    texts.push(await response.text());
  }
  return texts.join('\n');
}

function packetsOf({ packets }: TestSocket): string {
  return packets.map(({ body }) => JSON.stringify(body)).join('\n');
}

test.each(RELATIONS)('what a user does reaches others as the table says: %s', async (relation) => {
  const world = await createWorld(relation);
  const { bob, cid, bobs, cids, conversation } = world;
  const marks: [string, string, Sight][] = [];
  for (const row of EFFECTS) {
    const text = `by ${row.effect} of ${relation}`;
    const mark = await ACTS[row.effect]!(world, text);
    const reachesOthers = relation === 'shadowed' ? row.shadowed === 'seen' : row[relation] !== 'refused';
    if (reachesOthers) await cids.waitFor(row.effect, ({ body }) => JSON.stringify(body).includes(mark));
    marks.push([row.effect, mark, row[relation]]);
  }
  const participants = [bob.id, cid.id];
  const other = (await cid.call('POST', '/conversations', 201, { body: { participants } })).body;
  const last = await send(cid, relation === 'left' ? other : conversation, 'the last one');
  await bobs.waitFor('the last message', ({ body }) => body.object?.id === last.id);
  const shown = `${packetsOf(bobs)}\n${await readAll(bob, world)}`;
  const sights = marks.map(([effect, mark, sight]) => {
    const isSeen = shown.includes(mark);
    return [effect, isSeen ? 'seen' : sight === 'seen' ? 'not seen' : sight];
  });
  expect(sights).toEqual(marks.map(([effect, , sight]) => [effect, sight]));
  await Promise.all([bobs.close(), cids.close()]);
});

test('what a block withholds moves nothing in the list, and counts nowhere', async () => {
  const { ann, bob, cid, conversation, bobs, cids } = await createWorld('blocked');
  const newer = (await cid.call('POST', '/conversations', 201, { body: { participants: [bob.id] } })).body;
  await send(cid, newer, 'newer');
  const look = async () => {
    const { body } = await bob.call('GET', '/conversations?sort_by=last_message', 200);
    const list = (body as Json[]).map((one) => [one.id, one.unread_message_count, one.last_message?.id]);
    const page = await bob.call('GET', `/conversations/${uuidOf(conversation.id)}/messages`, 200);
    const badge = (await app.server('GET', `/users/${bob.id}/badge`, 200)).body;
    return { list, total: page.headers['svc-count'], badge };
  };
  const before = await look();
  await send(ann, conversation, 'withheld');
  const metadata = [{ operation: 'set', property: 'metadata.title', value: 'shared' }];
  await ann.call('PATCH', `/conversations/${uuidOf(conversation.id)}`, 204, { body: metadata });
  expect(await look()).toEqual(before);
  const { body } = await cid.call('GET', '/conversations?sort_by=last_message', 200);
  expect(body[0].id).toBe(conversation.id);
  await Promise.all([bobs.close(), cids.close()]);
});
