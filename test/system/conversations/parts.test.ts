import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { hasStep } from '../../support/socket.ts';
import type { Json } from '../../support/json.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let conversation: Json;
let message: Json;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, eve] = await Promise.all([app.login('ada'), app.login('bob'), app.login('eve')]);
});

beforeEach(async () => {
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  message = (await ada.call('POST', path, 201, { body: { parts: [textPart('one')] } })).body;
});

function serverPath() {
  return `/conversations/${uuidOf(conversation.id)}/messages/${uuidOf(message.id)}/parts`;
}
function userPath(user: string) {
  return `/users/${user}/messages/${uuidOf(message.id)}/parts`;
}
function one(part: { id: string }) {
  return `${serverPath()}/${uuidOf(part.id)}`;
}
async function read() {
  return (await bob.call('GET', `/messages/${uuidOf(message.id)}`, 200)).body;
}

test('a message’s parts can be listed and read', async () => {
  const [part] = message.parts;
  const { body } = await app.server('GET', serverPath(), 200);
  expect(body).toMatchObject([{ id: part.id, body: 'one', mime_type: 'text/plain', updated_at: null }]);
  expect((await app.server('GET', one(part), 200)).body).toEqual(body[0]);
  expect((await bob.call('GET', part.url, 200)).body).toEqual(part);
});

test('add: 201 with the part and its address; message and part say when', async () => {
  const { body, headers } = await app.server('POST', serverPath(), 201, {
    body: { mime_type: 'text/html; charset=utf-8', body: 'PGI+', encoding: 'base64' },
  });
  expect(body).toMatchObject({
    mime_type: 'text/html; charset=utf-8',
    body: 'PGI+',
    encoding: 'base64',
    content: null,
  });
  expect(body.updated_at).toMatch(/^\d{4}-.*Z$/);
  expect(headers['location']).toBe(body.url);
  const after = await read();
  expect(after.parts.map(({ id }: Json) => id)).toEqual([message.parts[0].id, body.id]);
  expect(after.updated_at).not.toBeNull();
});

test('update keeps the place of the part', async () => {
  await app.server('POST', serverPath(), 201, { body: textPart('two') });
  const { body } = await app.server('PUT', one(message.parts[0]), 200, { body: textPart('1') });
  expect(body).toMatchObject({ id: message.parts[0].id, body: '1' });
  expect((await read()).parts.map((part: Json) => part.body)).toEqual(['1', 'two']);
});

test('remove: 204 without a body; the last part stays', async () => {
  const { body: added } = await app.server('POST', serverPath(), 201, { body: textPart('two') });
  expect((await app.server('DELETE', one(added), 204)).text).toBe('');
  const { body } = await app.server('DELETE', one(message.parts[0]), 422);
  expect(body).toMatchObject({ id: 'invalid_operation' });
  expect((await read()).parts).toHaveLength(1);
});

test('replace all: the parts that are kept by id keep it', async () => {
  const { body } = await app.server('PUT', serverPath(), 200, {
    body: [textPart('first'), { ...textPart('second'), id: message.parts[0].id }],
  });
  expect(body.map((part: Json) => part.body)).toEqual(['first', 'second']);
  expect(body[1].id).toBe(message.parts[0].id);
  expect((await read()).parts.map((part: Json) => part.id)).toEqual(body.map((part: Json) => part.id));
});

const refusals: [string, object, string][] = [
  ['a body over 2048 bytes of UTF-8', textPart('ü'.repeat(1025)), 'body'],
  ['what is no base64', { mime_type: 'image/png', body: '!', encoding: 'base64' }, 'body'],
  ['neither body nor content', { mime_type: 'text/plain' }, 'body'],
  ['both', { ...textPart('x'), content: { id: randomUUID(), size: 1 } }, 'content'],
];
test.each(refusals)('refuses %s', async (_name, part, property) => {
  for (const [method, path] of [
    ['POST', serverPath()],
    ['PUT', one(message.parts[0])],
  ] as const) {
    const { body } = await app.server(method, path, 422, { body: part });
    expect(body).toMatchObject({ id: 'invalid_property', data: { property } });
  }
  expect((await app.server('PUT', serverPath(), 422, { body: [part] })).body.data.property).toBe(
    `0.${property}`,
  );
});

test('takes a body of exactly 2048 bytes', async () => {
  await app.server('POST', serverPath(), 201, { body: textPart('ü'.repeat(1024)) });
});

test('an id that is in use: 409 with the part', async () => {
  const { body } = await app.server('POST', serverPath(), 409, {
    body: { ...textPart('two'), id: uuidOf(message.parts[0].id) },
  });
  expect(body).toMatchObject({ id: 'id_in_use', code: 111, data: { id: message.parts[0].id, body: 'one' } });
});

test('of users only the sender edits: 403 permission_denied', async () => {
  await app.server('POST', userPath('ada'), 201, { body: textPart('by ada') });
  const { body } = await app.server('POST', userPath('bob'), 403, { body: textPart('by bob') });
  expect(body).toMatchObject({ id: 'permission_denied', code: 999 });
  await bob.call('DELETE', message.parts[0].url, 403);
  await app.server('GET', userPath('bob'), 200);
});

test('a part that does not exist or is not visible: 404 with an empty body', async () => {
  const missing = `/conversations/${uuidOf(conversation.id)}/messages/${randomUUID()}/parts`;
  for (const [method, path, body] of [
    ['GET', missing, undefined],
    ['POST', missing, textPart('x')],
    ['PUT', missing, [textPart('x')]],
    ['GET', `${serverPath()}/${randomUUID()}`, undefined],
    ['PUT', `${serverPath()}/${randomUUID()}`, textPart('x')],
    ['DELETE', `${serverPath()}/${randomUUID()}`, undefined],
  ] as const) {
    expect((await app.server(method, path, 404, { body })).text).toBe('');
  }
  expect((await eve.call('GET', message.parts[0].url, 404)).text).toBe('');
});

test('sockets receive added, changed and removed parts', async () => {
  const socket = await bob.connect();
  const { body: added } = await app.server('POST', serverPath(), 201, { body: textPart('two') });
  await app.server('PUT', one(added), 200, { body: textPart('2') });
  await app.server('DELETE', one(message.parts[0]), 204);
  await socket.waitFor('the removal', (packet) => hasStep(packet, ({ operation }) => operation === 'remove'));
  const changes = socket.packets
    .map(({ body }) => body)
    .filter(({ object }) => /^Message/.test(object?.type));
  expect(changes).toMatchObject([
    {
      operation: 'update',
      object: { type: 'Message' },
      data: [{ operation: 'add', property: 'parts', value: { body: 'two' } }],
    },
    {
      operation: 'update',
      object: { type: 'MessagePart', id: added.id },
      data: expect.arrayContaining([{ operation: 'set', property: 'body', value: '2' }]),
    },
    {
      operation: 'update',
      object: { type: 'Message' },
      data: [{ operation: 'remove', property: 'parts', id: message.parts[0].id }],
    },
  ]);
  await socket.close();
});

test('many edits at once lose nothing', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `part ${index}`);
  await Promise.all(texts.map((text) => app.server('POST', serverPath(), 201, { body: textPart(text) })));
  const bodies = (await read()).parts.map((part: Json) => part.body);
  expect(bodies.toSorted()).toEqual(['one', ...texts].toSorted());
});
