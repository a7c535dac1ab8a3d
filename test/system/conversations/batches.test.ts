import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import type { Json } from '../../support/json.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let path: string;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  await app.server('POST', '/users/helper/identity', 201, { body: { display_name: 'Helper', type: 'Bot' } });
});

beforeEach(async () => {
  const { body } = await ada.call('POST', '/conversations', 201, {
    body: { participants: ['bob', 'cem'].slice(0, 1) },
  });
  path = `/conversations/${uuidOf(body.id)}/messages`;
});

function item(text: string, fields: object = {}) {
  return {
    sender_id: 'ada',
    parts: [textPart(text)],
    ...fields,
  };
}
async function sent() {
  return (await bob.call('GET', path, 200)).body.map((one: Json) => one.parts[0].body).toReversed();
}

test('up to 12 messages in their order: 202 without a body', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
  const { text } = await app.server('POST', path, 202, { body: texts.map((one) => item(one)) });
  expect(text).toBe('');
  expect(await sent()).toEqual(texts);
  const { body } = await app.server('POST', path, 422, { body: Array.from({ length: 13 }, () => item('x')) });
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: '12' } });
});

const wrong: [string, object, string][] = [
  ['a part', { parts: [{ mime_type: 'text/plain' }] }, '1.parts.0.body'],
  ['a schedule', { schedule: { delay_in_seconds: 2 } }, '1.schedule'],
  ['an id', { id: 'x' }, '1.id'],
  ['a significance', { significance: { default: 'high' } }, '1.significance.default'],
  ['a sender who does not take part', { sender_id: 'stranger' }, '1.sender_id'],
];
test.each(wrong)('nothing is sent when one item has a wrong %s', async (_name, fields, property) => {
  const { body } = await app.server('POST', path, 422, { body: [item('good'), item('bad', fields)] });
  expect(body.data.property).toBe(property);
  expect(await sent()).toEqual([]);
});

test('a message whose id is in use does not stop the other messages of a batch', async () => {
  const id = randomUUID();
  await app.server('POST', path, 201, { body: item('first', { id }) });
  await app.server('POST', path, 202, {
    body: [item('again', { id }), item('second', { sender_id: 'helper' })],
  });
  expect(await sent()).toEqual(['first', 'second']);
});

test('a client has no batches', async () => {
  await ada.call('POST', path, 400, { body: [item('x')] });
});

describe('significance', () => {
  const unread = async (user: TestUser) =>
    (await user.call('GET', path.replace('/messages', ''), 200)).body.unread_message_count;

  test('low for all, but normal for one', async () => {
    const cem = await app.login('cem');
    const { body } = await ada.call('POST', '/conversations', 201, {
      body: { participants: ['bob', 'cem'] },
    });
    path = `/conversations/${uuidOf(body.id)}/messages`;
    const significance = { default: 'low', recipients: { [bob.uri]: 'normal' } };
    const { body: message } = await app.server('POST', path, 201, { body: item('x', { significance }) });
    expect([await unread(bob), await unread(cem)]).toEqual([1, 0]);
    await bob.call('POST', `/messages/${uuidOf(message.id)}/receipts`, 204, { body: { type: 'read' } });
    expect([await unread(bob), await unread(cem)]).toEqual([0, 0]);
  });

  test('normal for all, but low for one', async () => {
    const cem = await app.login('cem');
    const { body } = await ada.call('POST', '/conversations', 201, {
      body: { participants: ['bob', 'cem'] },
    });
    path = `/conversations/${uuidOf(body.id)}/messages`;
    const socket = await bob.connect();
    await app.server('POST', path, 201, {
      body: item('x', { significance: { recipients: { bob: 'low' } } }),
    });
    await app.server('POST', path, 201, { body: item('y') });
    expect([await unread(bob), await unread(cem)]).toEqual([1, 2]);
    const update = await socket.waitFor('the unread count', ({ body: change }) =>
      change.data?.some?.((step: Json) => step.property === 'unread_message_count' && step.value === 1),
    );
    expect(update.body.object.type).toBe('Conversation');
    await socket.close();
  });
});
