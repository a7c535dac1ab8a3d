import { randomUUID } from 'node:crypto';
import { textPart, uuidOf, type TestApp, type TestUser } from '../app.ts';
import { makeKeyPair } from '../archive.ts';
import type { Described } from '../generated-client.ts';
import { call } from '../http.ts';
import type { Json } from '../json.ts';
import { until } from '../until.ts';
import { SECRET, subscribe, webhooksCall, type Subscribed } from '../webhooks.ts';

/** Objects that the examples of an application's operations name: users, webhooks, and others that are made for each operation. */
export type ExampleObjects = {
  /** Ids by parameter of a path, of objects of its own for each operation, so that one may delete what another reads. */
  freshIds(operation: Described): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

type Context = { app: TestApp; ada: TestUser; subscribed: Subscribed; webhookId: string };

export async function createExampleObjects(app: TestApp): Promise<ExampleObjects> {
  const ada = await app.login('ada');
  await Promise.all([app.login('bob'), app.login('grace')]);
  const opening = [{ operation: 'set', property: 'user_directory', value: 'everyone' }];
  await app.server('PATCH', '', 202, { body: opening });
  // An export and its schedule need a key, and the example that registers one may run at the same time.
  await app.server('PUT', '/export_security', 200, { body: { public_key: makeKeyPair().publicKey } });
  const body = {
    ...{ version: '3.0', target_url: 'http://127.0.0.1:1/notices', secret: SECRET },
    events: ['Message.created'],
  };
  const subscribed = await subscribe(app, ['Message.created']);
  const webhookId = uuidOf((await webhooksCall(app, 'POST', '', 201, { body })).body.id);
  const context = { app, ada, subscribed, webhookId };
  return { freshIds: (operation) => freshIds(context, operation), stop: () => subscribed.receiver.stop() };
}

async function freshIds(context: Context, { id, path: wanted }: Described): Promise<Record<string, string>> {
  const { app, ada, webhookId } = context;
  const participants = ['ada', 'bob'];
  const asked = { participants, distinct: false, roles: { ada: 'owner' } };
  const conversation = uuidOf((await app.server('POST', '/conversations', 201, { body: asked })).body.id);
  const parts = [textPart('first'), textPart('second')];
  const path = `/conversations/${conversation}/messages`;
  const message = (await ada.call('POST', path, 201, { body: { parts } })).body;
  const [user, other] = await Promise.all([app.login('ada'), userFor(context, id)]);
  return {
    ...{ app_uuid: app.appUuid, user_id: other, owner_user_id: 'ada', as_user_id: 'ada' },
    ...{ type_name: `type-${conversation.slice(-8)}`, key: '👍' },
    ...{ conversation_id: conversation, message_id: uuidOf(message.id) },
    ...{ part_id: uuidOf(message.parts[1].id), webhook_id: webhookId, device_id: 'phone-1' },
    token: user.token,
    ...(wanted.includes('{delivery_id}') && (await delivery(context))),
    ...(wanted.includes('{export_id}') && { export_id: await latestExport(context) }),
    ...(wanted.includes('/scheduled_messages/') && { message_id: await schedule(context, conversation) }),
    ...(wanted.includes('{announcement_id}') && { announcement_id: await announce(context) }),
    ...(wanted.includes('{content_id}') && { content_id: await upload(context, wanted, conversation) }),
  };
}

/** The id of an announcement that Ada has got. */
async function announce({ app, ada }: Context): Promise<string> {
  const body = { recipients: ['ada', 'bob'], sender_id: 'bob', parts: [textPart('news')] };
  const id = uuidOf((await app.server('POST', '/announcements', 202, { body })).body.id);
  return until('the announcement has arrived', async () => {
    const { body: listed } = await ada.call('GET', '/announcements', 200);
    return listed.some((one: Json) => uuidOf(one.id) === id) ? id : undefined;
  });
}

/** The id of a content of Ada, or of the server in a conversation, as the path wants it. */
async function upload({ app, ada }: Context, path: string, conversation: string): Promise<string> {
  const headers = { 'upload-content-type': 'image/png', 'upload-content-length': '10' };
  const created = path.includes('/conversations/')
    ? await app.server('POST', `/conversations/${conversation}/content`, 201, { headers })
    : await ada.call('POST', '/content', 201, { headers });
  await call('PUT', created.body.upload_url, 200, { raw: Buffer.alloc(10) });
  return uuidOf(created.body.id);
}

/** The id of a message of a conversation that waits to be sent. */
async function schedule({ app }: Context, conversation: string): Promise<string> {
  const body = { sender_id: 'ada', parts: [textPart('later')], schedule: { delay_in_seconds: 300 } };
  const path = `/conversations/${conversation}/messages`;
  const { headers } = await app.server('POST', path, 202, { body });
  return uuidOf(headers['location'] ?? '');
}

/** The ids of a delivery, which is made by the message that every operation has of its own, and of its webhook. */
async function delivery({ app, subscribed: { uuid } }: Context): Promise<Record<string, string>> {
  return until('there is a delivery', async () => {
    const { body } = await webhooksCall(app, 'GET', `/${uuid}/deliveries`, 200);
    return body[0] && { webhook_id: uuid, delivery_id: body[0].id };
  });
}

/** The id of the export that an example has requested. */
async function latestExport({ app }: Context): Promise<string> {
  return uuidOf((await app.server('GET', '/exports', 200)).body[0].id);
}

/** The user whom an operation is about: followed, without an identity, or one who is not known to others. */
async function userFor({ app, ada }: Context, id: string): Promise<string> {
  const user = `carol-${randomUUID()}`;
  if (id === 'createIdentity') return user;
  await app.login(user);
  if (id.startsWith('isFollowing')) await ada.call('PUT', `/following/users/${user}`, 204);
  return user;
}

/** Sorts operations: those that create first, those that delete last. */
export function inOrder(operations: Described[]): Described[] {
  const ranks = ['OPTIONS', 'HEAD', 'PUT', 'POST', 'GET', 'PATCH', 'DELETE'];
  const rankOf = ({ method }: Described) => ranks.indexOf(method);
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}
