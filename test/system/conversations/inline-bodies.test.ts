import { createApp, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let conversation: Json;

beforeEach(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
  conversation = body;
});

function messages(): string {
  return `/conversations/${uuidOf(conversation.id)}/messages`;
}
/** A body of that many bytes in UTF-8, in half as many characters. */
function text(bytes: number) {
  return { mime_type: 'text/plain', body: 'й'.repeat(bytes / 2) };
}
function setLimit(value: unknown, status = 202) {
  return app.server('PATCH', '', status, {
    body: [{ operation: 'set', property: 'inline_body_bytes', value }],
  });
}

type Way = [give: (status: number) => Promise<{ body: Json }>, taken: number, refused: string];

/** Every request that takes a part of so many bytes, with its status on success and the property that its refusal names. */
async function ways(bytes: number): Promise<Way[]> {
  const draft = { parts: [text(bytes)] };
  const fromServer = { ...draft, sender_id: 'ada' };
  const { body: message } = await ada.call('POST', messages(), 201, { body: { parts: [text(2)] } });
  const parts = `${messages()}/${uuidOf(message.id)}/parts`;
  const scheduled = { ...fromServer, schedule: { delay_in_seconds: 300 } };
  const announcement = { ...fromServer, recipients: ['ada'] };
  const byServer = (method: string, path: string, body: unknown) => (status: number) =>
    app.server(method, path, status, { body });
  return [
    [(status) => ada.call('POST', messages(), status, { body: draft }), 201, 'parts.0.body'],
    [byServer('POST', messages(), fromServer), 201, 'parts.0.body'],
    [byServer('POST', messages(), [fromServer]), 202, '0.parts.0.body'],
    [byServer('POST', messages(), scheduled), 202, 'parts.0.body'],
    [byServer('POST', '/announcements', announcement), 202, 'parts.0.body'],
    [byServer('POST', parts, text(bytes)), 201, 'body'],
    [byServer('PUT', parts, [text(bytes)]), 200, '0.body'],
  ];
}

async function expectTaken(bytes: number): Promise<void> {
  for (const [give, taken] of await ways(bytes)) await give(taken);
}

async function expectRefused(bytes: number): Promise<void> {
  for (const [give, , property] of await ways(bytes))
    expect((await give(422)).body.data).toEqual({ property });
}

test('an app sets how long an inline body may be, for every way of giving one', async () => {
  await expectTaken(2_048);
  await expectRefused(2_050);
  await setLimit(65_536);
  await expectTaken(65_536);
  await expectRefused(65_538);
});

test('a socket that is open follows the setting, up and down', async () => {
  const socket = await ada.connect();
  const send = async (bytes: number): Promise<Json> => {
    const data = { parts: [text(bytes)] };
    return socket.request('Message.create', { object_id: conversation.id, data });
  };
  const refused = { success: false, data: { id: 'invalid_property', data: { property: 'parts.0.body' } } };
  expect(await send(4_096)).toMatchObject(refused);
  await app.admin('UpdateApp', { app_uuid: app.appUuid, inline_body_bytes: 4_096 });
  await until('4096 bytes are taken', async () => ((await send(4_096)).success ? true : undefined));
  expect(await send(4_098)).toMatchObject(refused);
  await app.admin('UpdateApp', { app_uuid: app.appUuid, inline_body_bytes: 2_048 });
  await until('4096 bytes are refused', async () => ((await send(4_096)).success ? undefined : true));
  expect(await send(2_048)).toMatchObject({ success: true });
  await socket.close();
});

test.each([2_047, 65_537, 'long', 2_048.5])('a limit of %p is refused', async (value) => {
  const { body } = await setLimit(value, 422);
  expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'inline_body_bytes' } });
});

test('all parts together stay within the limit of a message', async () => {
  await setLimit(65_536);
  const { body } = await app.server('POST', messages(), 413, {
    body: { sender_id: 'ada', parts: Array.from({ length: 15 }, () => text(65_536)) },
  });
  expect(body.id).toBe('request_entity_too_large');
});
