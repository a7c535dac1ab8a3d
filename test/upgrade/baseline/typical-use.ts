import { request } from 'undici';
import {
  createApp,
  openApp,
  textPart,
  uuidOf,
  type Credentials,
  type Platform,
  type TestApp,
} from '../../support/app.ts';
import { completed, makeKeyPair } from '../../support/archive.ts';
import type { Json } from '../../support/json.ts';
import { until } from '../../support/until.ts';
import { ALL_EVENTS, subscribe, webhooksCall } from '../../support/webhooks.ts';

/** Ten bytes that ada sends to bob. */
export const UPLOADED = '0123456789';
const USERS = ['ada', 'bob', 'eve'];
/** The longest there is: it is not sent while the baseline is made. */
const DELAY_IN_SECONDS = 300;

/** Does what applications do, once each; resolves when it is stored everywhere. Gives the private key of its exports. */
export async function useTypically(platform: Platform): Promise<{ app: TestApp; exportKey: string }> {
  const app = await createApp(platform, 'baseline');
  for (const user of USERS) await app.login(user, { first_name: user.toUpperCase() });
  await converse(app);
  await relate(app);
  const exportKey = await operate(app);
  return { app, exportKey };
}

async function converse(app: TestApp): Promise<void> {
  const [ada, bob] = [await app.login('ada'), await app.login('bob')];
  const body = {
    participants: ['ada', 'bob'],
    metadata: { subject: 'Baseline', nested: { text: 'tab\tand\nline' } },
  };
  const path = `/conversations/${uuidOf((await ada.call('POST', '/conversations', 201, { body })).body.id)}`;
  const sent: string[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const sender = count % 3 === 0 ? bob : ada;
    const message = { parts: [textPart(`Message ${count} \\ ü 🙂`)] };
    sent.push(uuidOf((await sender.call('POST', `${path}/messages`, 201, { body: message })).body.id));
  }
  await bob.call('POST', `/messages/${sent[4]}/receipts`, 204, { body: { type: 'read' } });
  await bob.call('POST', `/messages/${sent[6]}/receipts`, 204, { body: { type: 'delivery' } });
  await ada.call('DELETE', `/messages/${sent[1]}?mode=all_participants`, 204);
  await bob.call('DELETE', `/messages/${sent[3]}?mode=my_devices`, 204);
  const edited = `${path}/messages/${sent[7]}/parts`;
  await app.server('PUT', edited, 200, { body: [textPart('Edited')] });
  await ada.call('POST', `${path}/messages`, 201, { body: { parts: [await upload(app)] } });
  const group = { participants: ['ada', 'bob', 'eve'], distinct: false };
  const { id } = (await ada.call('POST', '/conversations', 201, { body: group })).body;
  await ada.call('POST', `/conversations/${uuidOf(id)}/messages`, 201, {
    body: { parts: [textPart('To all')] },
  });
  await ada.call('PATCH', `/conversations/${uuidOf(id)}`, 204, {
    body: [{ operation: 'remove', property: 'participants', id: 'eve' }],
  });
}

async function upload(app: TestApp): Promise<Json> {
  const ada = await app.login('ada');
  const headers = { 'upload-content-type': 'video/mp4', 'upload-content-length': String(UPLOADED.length) };
  const { body } = await ada.call('POST', '/content', 201, { headers });
  const answer = await request(body.upload_url, { method: 'PUT', body: UPLOADED });
  await answer.body.dump();
  return { mime_type: 'video/mp4', content: { id: body.id, size: UPLOADED.length } };
}

async function relate(app: TestApp): Promise<void> {
  const ada = await app.login('ada');
  await ada.call('PUT', '/blocks/eve', 204);
  await ada.call('PUT', '/following/users/bob', 204);
  const announcement = { recipients: ['ada', 'bob'], sender_id: 'eve', parts: [textPart('To everybody')] };
  await app.server('POST', '/announcements', 202, { body: announcement });
  await until('the announcement is listed', async () => {
    const { body } = await ada.call('GET', '/announcements', 200);
    return body.length === 1 || undefined;
  });
}

async function operate(app: TestApp): Promise<string> {
  const { publicKey, privateKey } = makeKeyPair();
  await app.server('PUT', '/export_security', 200, { body: { public_key: publicKey } });
  await completed(app, (await app.server('POST', '/exports', 202)).body.id);
  const subscribed = await subscribe(app, ALL_EVENTS);
  for (const user of ['dan', 'fay']) await app.login(user);
  const body = { participants: ['dan', 'fay'] };
  const { id } = (await app.server('POST', '/conversations', 201, { body })).body;
  await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 202, {
    body: { sender_id: 'fay', parts: [textPart('Later')], schedule: { delay_in_seconds: DELAY_IN_SECONDS } },
  });
  await subscribed.receiver.wait(1);
  await subscribed.receiver.stop();
  return privateKey;
}

/** Reads everything that clients see of the application, without what differs from one start of a platform to the next. */
export async function observe(platform: Platform, credentials: Credentials): Promise<Json> {
  const app = openApp(platform, credentials);
  const seen: Json = {};
  for (const user of USERS) {
    const { call } = await app.login(user, { first_name: user.toUpperCase() });
    const get = async (path: string): Promise<Json> => (await call('GET', path, 200)).body;
    const conversations = await get('/conversations?sort_by=created_at');
    const messages: Json = {};
    for (const { id } of conversations) messages[id] = await get(`/conversations/${uuidOf(id)}/messages`);
    const lists = [await get('/announcements'), await get('/blocks'), await get('/following')];
    seen[user] = { conversations, messages, lists };
  }
  const { body } = await webhooksCall(app, 'GET', '', 200);
  seen['webhooks'] = body.map(({ id, events, target_url }: Json) => ({ id, events, target_url }));
  return JSON.parse(
    JSON.stringify(seen, leaveOut).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://host'),
  ) as Json;
}

const FLEETING = ['download_url', 'expiration', 'presence', 'last_seen_at'];

function leaveOut(key: string, value: unknown): unknown {
  return FLEETING.includes(key) ? undefined : value;
}
