import fc from 'fast-check';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { UnexpectedStatus } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import type { Packet, TestSocket } from '../../support/socket.ts';

// Packets about objects that a socket was told are gone: docs/protocol/websocket.md#changes

let app: TestApp;
let users: TestUser[];
/** Each user has two. */
let sockets: TestSocket[];
/** Everyone is in it, and nothing else happens in it. */
let control: string;

beforeAll(async () => {
  app = await createApp(await platform());
  users = await Promise.all(['ada', 'bob', 'cem'].map((name) => app.login(name)));
  control = await converse(users[0]!);
  sockets = await Promise.all([...users, ...users].map((user) => user.connect()));
});
afterAll(() => Promise.all(sockets.map((socket) => socket.close())));

async function converse(user: TestUser): Promise<string> {
  const body = { participants: users.map(({ uri }) => uri) };
  return uuidOf((await user.call('POST', '/conversations', 201, { body })).body.id);
}

/** The objects that the operations of one run are about. */
type Scene = { conversation: string; messages: string[] };
type Act = { what: keyof typeof ACTS; who: number; other: number };

const send = async ({ conversation, messages }: Scene, user: TestUser) => {
  const body = { parts: [textPart('hello')] };
  const answer = await user.call('POST', `/conversations/${conversation}/messages`, 201, { body });
  messages.push(uuidOf(answer.body.id));
};
const patch = (scene: Scene, step: object) =>
  app.server('PATCH', `/conversations/${scene.conversation}`, 204, { body: [step] });
const room = ({ conversation }: Scene) => `/conversations/${conversation}`;
const someMessage = ({ messages }: Scene, n: number) => `/messages/${messages[n % messages.length]!}`;

const ACTS = {
  send: (scene: Scene, user: TestUser) => send(scene, user),
  edit: (scene: Scene, user: TestUser, n: number) =>
    user.call('POST', `${someMessage(scene, n)}/parts`, 201, { body: textPart('more') }),
  deleteMessage: (scene: Scene, user: TestUser, n: number) => user.call('DELETE', someMessage(scene, n), 204),
  deleteMessageForAll: (scene: Scene, user: TestUser, n: number) =>
    user.call('DELETE', `${someMessage(scene, n)}?mode=all_participants`, 204),
  read: (scene: Scene, user: TestUser, n: number) =>
    user.call('POST', `${someMessage(scene, n)}/receipts`, 204, { body: { type: 'read' } }),
  readAll: (scene: Scene, user: TestUser) =>
    user.call('POST', `${room(scene)}/mark_all_read`, 202, { body: { position: null } }),
  deliverAll: (scene: Scene, user: TestUser) => user.call('POST', `${room(scene)}/mark_all_delivered`, 202),
  hide: (scene: Scene, user: TestUser) => user.call('DELETE', room(scene), 204),
  leave: (scene: Scene, user: TestUser) => user.call('DELETE', `${room(scene)}?leave=true`, 204),
  rename: (scene: Scene, _: TestUser, n: number) =>
    patch(scene, { operation: 'set', property: 'metadata.topic', value: n }),
  add: (scene: Scene, user: TestUser) =>
    patch(scene, { operation: 'add', property: 'participants', id: user.id }),
  remove: (scene: Scene, user: TestUser) =>
    patch(scene, { operation: 'remove', property: 'participants', id: user.id }),
  type(scene: Scene, user: TestUser) {
    const data = { action: 'started' };
    const object = { type: 'Conversation', id: `svc:///conversations/${scene.conversation}` };
    sockets[users.indexOf(user)]!.signal({ type: 'typing_indicator', object, data });
    return Promise.resolve();
  },
  deleteForAll: (scene: Scene, user: TestUser) =>
    user.call('DELETE', `${room(scene)}?mode=all_participants`, 204),
} satisfies Record<string, (scene: Scene, user: TestUser, n: number) => Promise<unknown>>;

const FREQUENT = Object.keys(ACTS).filter((name) => name !== 'deleteForAll') as (keyof typeof ACTS)[];
const act: fc.Arbitrary<Act> = fc.record({
  what: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...FREQUENT) },
    { weight: 1, arbitrary: fc.constant('deleteForAll' as const) },
  ),
  who: fc.nat(2),
  other: fc.nat(20),
});

/** Some at once: neighbours of an odd number go together. */
async function perform(scene: Scene, acts: readonly Act[]): Promise<void> {
  for (let n = 0; n < acts.length; n += 2) {
    const together = acts.slice(n, n + 1 + (acts[n]!.other % 2));
    await Promise.all(
      together.map(({ what, who, other }) => tryOne(() => ACTS[what](scene, users[who]!, other))),
    );
  }
}

/** Ignores refusals, which change nothing. */
async function tryOne(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof UnexpectedStatus) || error.status >= 500) throw error;
  });
}

/** Waits until everything before has reached the sockets: changes of one user arrive in order, and wait at most for others of a conversation. */
async function untilHeard(): Promise<void> {
  const body = { parts: [textPart('control')] };
  const { id } = (await users[0]!.call('POST', `/conversations/${control}/messages`, 201, { body }))
    .body as Json;
  const names = (packet: Packet) =>
    packet.type === 'change' &&
    packet.body.operation === 'update' &&
    (packet.body.data as Json[]).some((step) => step.property === 'last_message' && step.id === id);
  await Promise.all(sockets.map((socket) => socket.waitFor('the last message of all', names, 30_000)));
}

/** The packets that name an object after the socket was told that it is gone, but for the deletion for all of what the user has hidden. */
function contradictions(packets: readonly Packet[]): string[] {
  const gone = new Map<string, string>();
  const found: string[] = [];
  for (const { type, body } of packets) {
    if (!['change', 'signal', 'operation'].includes(type) || !body.object) continue;
    const id: string = body.object.id;
    if (body.operation === 'create') gone.delete(id);
    const named: string[] = [id, id.replace(/\/parts\/.*/, '')];
    if (body.operation === 'create' && body.object.type === 'Message') named.push(body.data.conversation.id);
    const mode: string = body.data.mode ?? '';
    const isTold = mode === 'all_participants' && gone.get(id) === 'my_devices';
    if (!isTold && named.some((one) => gone.has(one)))
      found.push(`${type} ${body.operation} ${body.object.type} ${id}`);
    if (body.operation === 'delete') gone.set(id, mode);
  }
  return found;
}

test('no packet names an object that the same socket was told is gone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 30 }), async (acts) => {
      const scene: Scene = { conversation: await converse(users[0]!), messages: [] };
      for (const user of users) await send(scene, user);
      await perform(scene, acts);
      await untilHeard();
      expect(sockets.map(({ packets }) => contradictions(packets))).toEqual(sockets.map(() => []));
    }),
    { numRuns: 25, endOnFailure: true },
  );
}, 300_000);

test('who hides a conversation and leaves it hears nothing more of it', async () => {
  const [ada, bob] = [users[0]!, users[1]!];
  const conversation = await converse(ada);
  await bob.call('DELETE', `/conversations/${conversation}?leave=true`, 204);
  await untilHeard();
  const heard = sockets.map(({ packets }) =>
    packets
      .filter(({ type, body }) => type === 'change' && uuidOf(body.object.id) === conversation)
      .map(({ body }) => `${body.operation} ${body.object.type}`),
  );
  expect([heard[1], heard[4]]).toEqual([
    ['create Conversation', 'delete Conversation'],
    ['create Conversation', 'delete Conversation'],
  ]);
});
