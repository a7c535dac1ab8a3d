import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { textPart } from '../../test/support/app.ts';
import { stamped, type Conversation, type Member, type World } from './world.ts';

/** Makes one call; `turn` counts the calls of this kind. */
type Work = (world: World, turn: number) => Promise<unknown>;
export type Kind = keyof typeof WORK;

const RECENT = 30;
const UPLOADED_BYTES = 20_000;
const REPLAYED_MS = 5_000;
const OLD_SOCKET_CLOSES_AFTER_MS = 2_000;

function session({ user }: Member): string {
  return `Svc session-token="${user.token}"`;
}

function pick<T>(from: readonly T[], turn: number): T {
  // Multiplication by a large prime visits all of them in an order without a pattern.
  return from[(turn * 7_919) % from.length]!;
}

function choose(world: World, turn: number): { conversation: Conversation; sender: Member; reader: Member } {
  const conversation = pick(world.conversations, turn);
  const { members } = conversation;
  const first = Math.floor(turn / world.conversations.length) % members.length;
  return { conversation, sender: members[first]!, reader: members[(first + 1) % members.length]! };
}

function remember({ recent }: Conversation, id: string): void {
  recent.push(id);
  if (recent.length > RECENT) recent.shift();
}

const sendBySocket: Work = async (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const id = randomUUID();
  const data = JSON.stringify({ id, parts: [textPart(stamped('the quick brown fox'))] });
  await sender.socket.request('Message.create', `svc:///conversations/${conversation.id}`, data);
  remember(conversation, id);
};

const sendByRest: Work = async (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const id = randomUUID();
  const body = JSON.stringify({ id, parts: [textPart(stamped('jumps over the lazy dog'))] });
  await world.rest('POST', `/conversations/${conversation.id}/messages`, session(sender), body);
  remember(conversation, id);
};

/** Marks one message, or all of them, as read. */
const read: Work = async (world, turn) => {
  const { conversation, reader } = choose(world, turn);
  const path = `/conversations/${conversation.id}/mark_all_read`;
  if (turn % 3 === 0) return world.rest('POST', path, session(reader), '{"position":null}');
  const id = conversation.recent.at(-1);
  return id && reader.socket.request('Receipt.create', `svc:///messages/${id}`, '{"type":"read"}');
};

const type: Work = (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const object = `{"id":"svc:///conversations/${conversation.id}"}`;
  sender.socket.signal(`{"type":"typing_indicator","object":${object},"data":{"action":"started"}}`);
  return Promise.resolve();
};

const list: Work = (world, turn) => {
  const { conversation, reader } = choose(world, turn);
  return world.rest('GET', `/conversations/${conversation.id}/messages?page_size=20`, session(reader));
};

const listConversations: Work = (world, turn) =>
  world.rest('GET', '/conversations?page_size=20&sort_by=last_message', session(pick(world.members, turn)));

/** Takes the oldest of the messages that are remembered, so that nothing else refers to it any more. */
const remove: Work = async (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const id = conversation.recent.length > RECENT / 2 ? conversation.recent.shift() : undefined;
  const path = `/messages/${id}?mode=my_devices`;
  if (id) await world.rest('DELETE', path, session(sender));
};

/** A second socket opens and replays, the first one closes. */
const reconnect: Work = async (world, turn) => {
  const member = pick(world.members, turn);
  const before = member.socket;
  member.socket = await world.openSocket(member.user, new Date(Date.now() - REPLAYED_MS));
  // Its requests are answered by then.
  setTimeout(() => before.close(), OLD_SOCKET_CLOSES_AFTER_MS);
};

/** Uploads a file, sends it, and deletes the message for everyone. */
const upload: Work = async (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const headers = { 'upload-content-type': 'image/png', 'upload-content-length': String(UPLOADED_BYTES) };
  const { body: begun } = await sender.user.call('POST', '/content', 201, { headers });
  const answer = await request(begun.upload_url, { method: 'PUT', body: randomBytes(UPLOADED_BYTES) });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`upload: ${answer.statusCode}`);
  const id = randomUUID();
  const part = { mime_type: 'image/png', content: { id: begun.id, size: UPLOADED_BYTES } };
  const path = `/conversations/${conversation.id}/messages`;
  await world.rest('POST', path, session(sender), JSON.stringify({ id, parts: [part] }));
  await world.rest('DELETE', `/messages/${id}?mode=all_participants`, session(sender));
};

const schedule: Work = (world, turn) => {
  const { conversation, sender } = choose(world, turn);
  const body = JSON.stringify({
    sender_id: sender.user.id,
    parts: [textPart('scheduled')],
    schedule: { delay_in_seconds: 5 + (turn % 20), typing_indicator_in_seconds: 2 },
  });
  const { appUuid, accessToken } = sender.app;
  const path = `/apps/${appUuid}/conversations/${conversation.id}/messages`;
  return world.rest('POST', path, `Bearer ${accessToken}`, body);
};

/** A session that begins and ends. */
const logInAndOut: Work = async (world, turn) => {
  const { app, user } = pick(world.members, turn);
  const again = await app.login(user.id);
  await again.call('DELETE', `/sessions/${again.token}`, 204);
};

const announce: Work = (world, turn) => {
  const app = pick(world.apps, turn);
  const recipients = world.members.filter((member) => member.app === app).map(({ user }) => user.id);
  const body = JSON.stringify({ recipients, sender_id: recipients[0], parts: [textPart('hear, hear')] });
  return world.rest('POST', `/apps/${app.appUuid}/announcements`, `Bearer ${app.accessToken}`, body);
};

export const WORK = {
  ...{ sendBySocket, sendByRest, read, type, list, listConversations, remove, reconnect },
  ...{ upload, schedule, logInAndOut, announce },
} satisfies Record<string, Work>;

/** Calls of a kind in the time in which 1,000 messages are sent; the first two together are 1,000. */
export const SHARES: Readonly<Record<Kind, number>> = {
  ...{ sendBySocket: 700, sendByRest: 300, read: 150, type: 80, list: 40, listConversations: 20, remove: 40 },
  ...{ reconnect: 8, upload: 6, schedule: 8, logInAndOut: 4, announce: 0.4 },
};
