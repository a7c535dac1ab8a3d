import { startNatsProxy, type NatsProxy } from '@parley/testing';
import { textPart, uuidOf } from '../../support/app.ts';
import { createScene, differences, say, setBlobs, setReadOnly, type Scene } from '../../support/degraded.ts';
import { KINDS } from '../../support/fleet.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';
import { ofType, subscribe, waitFor, type Subscribed } from '../../support/webhooks.ts';

// What works while a part is away, and that everything does afterwards: docs/architecture/overview.md#what-happens-when-a-part-fails

const WHOLE_WITHIN_MS = 30_000;

let nats: NatsProxy;
let own: OwnPlatform;
let scene: Scene;
let bobs: TestSocket;
let webhook: Subscribed;

beforeAll(async () => {
  nats = await startNatsProxy();
  own = await ownPlatform({ env: { '*': { PARLEY_NATS_URL: nats.url } } });
  nats.connectTo(own.running.state.nats_url);
  scene = await createScene(own);
  webhook = await subscribe(scene.app, ['Message.created']);
  bobs = await scene.bob.connect();
  // Neither of them heard of the first message.
  scene.acknowledged.length = 0;
  await untilWhole();
}, 120_000);

afterAll(async () => {
  await bobs?.close();
  await webhook?.receiver.stop();
  await own?.stop();
  await nats?.stop();
}, 60_000);

/** Resolves when every operation works, and the last acknowledged message has reached the socket and the webhook. */
async function untilWhole(): Promise<void> {
  await until(
    'everything works',
    async () => (await differences(scene)).length === 0 || undefined,
    WHOLE_WITHIN_MS,
  );
  await untilDelivered();
}

/** Resolves when every acknowledged message is listed, and has reached the socket and the webhook. */
async function untilDelivered(): Promise<void> {
  const { bob, conversation } = scene;
  const { body } = await bob.call('GET', `${conversation.messages_url}?page_size=100`, 200);
  const listed = (body as Json[]).map(({ id }) => uuidOf(id));
  for (const id of scene.acknowledged) {
    expect(listed).toContain(id);
    await bobs.waitFor(id, isChange('create', 'Message', `svc:///messages/${id}`), WHOLE_WITHIN_MS);
    const isOfMessage = ofType('Message.created', ({ message }) => uuidOf(message.id) === id);
    await waitFor(webhook, id, isOfMessage, WHOLE_WITHIN_MS);
  }
}

test('without NATS every request works, and sockets and webhooks get afterwards what was sent meanwhile', async () => {
  nats.cut();
  expect(await differences(scene)).toEqual([]);
  await say(scene, 201);
  nats.restore();
  await untilWhole();
}, 180_000);

test('without the blob store all but transfers of content works', async () => {
  await setBlobs(own.dataDir, false);
  try {
    expect(await differences(scene, ['uploads content', 'downloads content'])).toEqual([]);
  } finally {
    await setBlobs(own.dataDir, true);
  }
  await untilWhole();
}, 180_000);

const SERVICES = KINDS.filter((kind) => kind !== 'gateway');
const WRITES = [
  ...['sends a message', 'schedules a message', 'announces', 'marks a message as read'],
  ...['creates a conversation', 'changes a conversation', 'blocks a user', 'follows a user'],
  ...['asks for an upload', 'logs in'],
];

test('while the database is read-only everything can be read, writes are refused, and they work when they are repeated', async () => {
  const { app, conversation } = scene;
  const id = crypto.randomUUID();
  const path = `/conversations/${uuidOf(conversation.id)}/messages`;
  const body = { sender_id: 'ada', parts: [textPart('soon')], schedule: { delay_in_seconds: 2 } };
  await app.server('POST', path, 202, { body });
  const { upload_url: upload } = await askedBefore();
  await setReadOnly(own, true);
  try {
    // Sessions of the server take the setting a moment later. Until then a message may be stored, so these have other ids.
    await until('writes are refused', () => say(scene, 503).catch(() => undefined));
    await untilRefusedAlone(WRITES);
    await say(scene, 503, id);
    const answer = await bobs.request('Message.create', {
      object_id: conversation.id,
      data: { parts: [textPart('from the socket')] },
    });
    expect(answer).toMatchObject({ success: false, data: { id: 'service_unavailable' } });
    expect(bobs.closed).toBeUndefined();
    expect((await fetch(upload, { method: 'PUT', body: 'x' })).status).toBe(503);
    await Promise.all(SERVICES.map((name) => own.killAndAwait(name)));
    await untilRefusedAlone(WRITES);
  } finally {
    await setReadOnly(own, false);
  }
  await until('the same message is sent', () => say(scene, 201, id).catch(() => undefined), WHOLE_WITHIN_MS);
  const isScheduled = ({ type, body: change }: { type: string; body: Json }) =>
    type === 'change' && change.data?.parts?.[0]?.body === 'soon';
  await bobs.waitFor('the scheduled message', isScheduled, WHOLE_WITHIN_MS);
  await untilWhole();
}, 180_000);

/** An upload that was begun while everything was there. */
async function askedBefore(): Promise<Json> {
  const headers = { 'upload-content-type': 'text/plain', 'upload-content-length': '1' };
  return (await scene.ada.call('POST', '/content', 201, { headers })).body;
}

/** Resolves when these operations are refused and all others work: processes have to find each other after a restart. */
async function untilRefusedAlone(refused: readonly string[]): Promise<void> {
  let last: string[] = [];
  const isSo = async () => {
    last = await differences({ ...scene, operations: withoutUploads() }, refused);
    return last.length === 0 || undefined;
  };
  await until('these alone are refused', isSo, WHOLE_WITHIN_MS).catch((error: unknown) => {
    throw new Error(last.join('\n'), { cause: error });
  });
}

/** Operations without the one that asks for an upload first. */
function withoutUploads(): Scene['operations'] {
  const { 'uploads content': _, ...others } = scene.operations;
  return others;
}

test('while identity does not answer requests are refused in time, sockets stay open, and content is downloaded', async () => {
  own.running.kill('identity', 'SIGSTOP');
  try {
    await until('requests are refused', () =>
      scene.ada.call('GET', '/conversations', 503).catch(() => undefined),
    );
    const refused = Object.keys(withoutUploads()).filter((name) => name !== 'downloads content');
    expect(await differences({ ...scene, operations: withoutUploads() }, refused)).toEqual([]);
    expect(bobs.closed).toBeUndefined();
  } finally {
    own.running.kill('identity', 'SIGCONT');
  }
  await untilWhole();
}, 180_000);
