import { createApp, uuidOf, type TestUser } from '../../support/app.ts';
import { follow, type Follower } from '../../support/follower.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';
import { byRest, bySocket, write, type Writer } from '../../support/writer.ts';

let own: OwnPlatform;
let users: TestUser[];
let conversations: Json[];
const followers: Follower[] = [];
const writers: Writer[] = [];

function acknowledged() {
  return writers.flatMap(({ sent }) => sent);
}
/** Resolves when each writer has made progress since the kill. */
async function progress(each: number): Promise<void> {
  const targets = writers.map(({ sent }) => sent.length + each);
  await until(
    `every writer sends ${each} more messages: ${JSON.stringify(writers.map(({ sent, faults }) => [sent.length, faults.slice(0, 3)]))}`,
    () => writers.every(({ sent }, index) => sent.length >= (targets[index] ?? 0)) || undefined,
    20_000,
  );
}

/** All messages of a conversation, newest first, by paging. */
async function listAll(user: TestUser, conversation: Json): Promise<Json[]> {
  const messages: Json[] = [];
  for (;;) {
    const from = messages.length > 0 ? `?from_id=${uuidOf(messages.at(-1).id)}` : '';
    const { body, headers } = await user.call('GET', `${conversation.messages_url}${from}`, 200);
    messages.push(...body);
    if (body.length < 100) {
      expect(Number(headers['svc-count'])).toBe(messages.length);
      return messages;
    }
  }
}

beforeAll(async () => {
  own = await ownPlatform({ durable: true });
  const app = await createApp(own);
  users = await Promise.all(['ada', 'bob', 'cem'].map((name) => app.login(name)));
  const [ada] = users as [TestUser];
  const create = async () =>
    (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob', 'cem'] } })).body;
  conversations = [await create(), await create()];
});

afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.stop()));
  await Promise.all(followers.map((follower) => follower.stop()));
  await own?.stop();
});

test('when any process is killed under load, each acknowledged message is stored once, in order, and reaches every socket', async () => {
  const [ada, bob, cem] = users as [TestUser, TestUser, TestUser];
  followers.push(...[ada, bob, cem].map((user) => follow(own.baseUrl, user.token)));
  await until('all replayed', () => followers.every(({ replays }) => replays === 1) || undefined);
  const attempts = [byRest(ada), byRest(bob), bySocket(followers[2]!), bySocket(followers[0]!)];
  writers.push(...attempts.map((attempt) => write(attempt, conversations)));
  await progress(20);

  for (const name of ['gateway', 'identity', 'messaging', 'postgres', 'nats']) {
    await own.killAndAwait(name);
    await progress(20);
  }
  // Processes that depend on each other are killed at once.
  await Promise.all(['postgres', 'nats', 'messaging'].map((name) => own.killAndAwait(name)));
  await progress(20);

  await Promise.all(writers.map((writer) => writer.stop()));
  const sent = acknowledged();
  expect(writers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const conversation of conversations) {
    const listed = (await listAll(ada, conversation)).reverse();
    expect(listed.map(({ position }) => position)).toEqual(listed.map((_, index) => index + 1));
    const mine = sent.filter(({ conversationId }) => conversationId === conversation.id);
    const positions = new Map(mine.map(({ id, position }) => [id, position]));
    expect(positions.size).toBe(mine.length);
    expect(new Map(listed.map(({ id, position }) => [id, position]))).toEqual(positions);
    for (const writer of writers) {
      const own = writer.sent.filter(({ conversationId }) => conversationId === conversation.id);
      expect(own.map(({ position }) => position)).toEqual(
        own.map((one) => one.position).sort((a, b) => a - b),
      );
    }
  }

  for (const [index, follower] of followers.entries()) {
    await until(`${users[index]!.id} gets every message`, () => {
      const told = follower.created;
      return sent.every(({ id, position }) => told.get(id) === position) || undefined;
    });
  }
  await Promise.all(followers.map((follower) => follower.stop()));
  expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(followers.every(({ replays }) => replays >= 2)).toBe(true);
}, 90_000);
