import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { textPart, type TestUser } from '../../test/support/app.ts';
import type { Client } from './client.ts';
import type { History, Sent } from './history.ts';
import type { Round } from './round.ts';

type Work = { round: Round; client: Client; history: History };

const KEYS = ['👍', '🎉', 'a.b'];
const REACTED_OF_THE_LAST = 20;

function session({ token }: TestUser): string {
  return `Svc session-token="${token}"`;
}

/** The server's requests about the moderated conversation. */
function createServer({ round, client }: Work) {
  const app = `/apps/${round.app.appUuid}`;
  const conversation = `${app}/conversations/${round.moderated}`;
  const call = (method: string, path: string, body: unknown, expected: readonly number[] = [204]) =>
    client({
      ...{ method, path, authorization: `Bearer ${round.app.accessToken}`, expected },
      ...(body !== undefined && { body }),
    });
  return {
    patch: (step: object, expected?: readonly number[]) => call('PATCH', conversation, [step], expected),
    restrict: (user: TestUser, type: 'mute' | 'ban' | undefined) =>
      call(type ? 'PUT' : 'DELETE', `${conversation}/restrictions/${user.id}`, type && { type }),
    shadow: (user: TestUser, isOn: boolean) =>
      call(
        isOn ? 'PUT' : 'DELETE',
        `${app}/users/${user.id}/restriction`,
        isOn ? { type: 'shadow' } : undefined,
      ),
  };
}

type Sending = { hiddenFrom?: readonly string[]; shadowed?: boolean };

/** Sends with one id until it is acknowledged. */
async function send({ round, client, history }: Work, user: TestUser, sending: Sending = {}): Promise<void> {
  const id = randomUUID();
  const begunAt = Date.now();
  const { status, body } = await client({
    ...{ method: 'POST', path: `/conversations/${round.moderated}/messages`, authorization: session(user) },
    ...{ body: { id, parts: [textPart('moderated')] }, expected: [201, 409] },
  });
  const { position } = status === 409 ? body.data : body;
  const { hiddenFrom = [], shadowed = false } = sending;
  const place = { id, conversation: round.moderated, sender: user.id, position };
  history.sent.push({ ...place, hiddenFrom, deleted: false, begunAt, ...(shadowed && { shadowed }) });
}

/** Tries to send something that the rules forbid. */
async function tryInVain({ round, client, history }: Work, user: TestUser, why: string): Promise<void> {
  const { status } = await client({
    ...{ method: 'POST', path: `/conversations/${round.moderated}/messages`, authorization: session(user) },
    ...{ body: { parts: [textPart(why)] }, expected: [201, 403] },
  });
  if (status === 201) history.faults.push(`${user.id} sent a message to a conversation that ${why}`);
}

/** One rule after another holds for a user, who tries to send, and ends, and the user sends. */
export function moderator(work: Work): () => Promise<void> {
  const { round, history } = work;
  const { mia, sid } = round.users;
  const server = createServer(work);
  const add = { operation: 'add', property: 'participants', id: mia.id };
  return async () => {
    await server.restrict(mia, 'mute');
    await tryInVain(work, mia, 'mutes them');
    await server.restrict(mia, undefined);
    await send(work, mia);
    await server.patch({ operation: 'set', property: 'frozen', value: true });
    await tryInVain(work, mia, 'is frozen');
    await server.patch({ operation: 'set', property: 'frozen', value: false });
    await server.patch({ operation: 'set', property: `roles.${mia.id}`, value: 'observer' });
    await tryInVain(work, mia, 'they observe');
    await server.patch({ operation: 'set', property: `roles.${mia.id}`, value: 'member' });
    await send(work, mia);
    await server.restrict(mia, 'ban');
    const { status } = await server.patch(add, [204, 422]);
    if (status === 204) history.faults.push('a banned user was added');
    await server.restrict(mia, undefined);
    await server.patch(add);
    await server.shadow(sid, true);
    await send(work, sid, { hiddenFrom: others(round, sid), shadowed: true });
    await server.shadow(sid, false);
    await send(work, sid);
    await pause(200);
  };
}

function others({ members, moderated }: Round, user: TestUser): string[] {
  return (members.get(moderated) ?? []).filter((id) => id !== user.id);
}

/** Reacts to messages that all see, and takes reactions back. */
export function reactor(work: Work, user: TestUser): () => Promise<void> {
  const { round, client, history } = work;
  let turn = 0;
  return async () => {
    turn += 1;
    const isSeen = (one: Sent) => one.conversation === round.moderated && !one.shadowed;
    const seen = history.sent.filter(isSeen).slice(-REACTED_OF_THE_LAST);
    const message = seen[(turn * 7) % Math.max(1, seen.length)];
    if (!message) return;
    const key = KEYS[turn % KEYS.length] ?? '';
    const isGiven = turn % 4 > 0;
    await client({
      ...{ method: isGiven ? 'PUT' : 'DELETE', authorization: session(user), expected: [204] },
      path: `/messages/${message.id}/reactions/${encodeURIComponent(key)}`,
    });
    const reacted = (history.reacted ??= new Map<string, Map<string, Set<string>>>());
    const ofMessage = reacted.get(message.id) ?? new Map<string, Set<string>>();
    const users = ofMessage.get(key) ?? new Set<string>();
    if (isGiven) users.add(user.id);
    else users.delete(user.id);
    reacted.set(message.id, ofMessage.set(key, users));
    await pause(20);
  };
}
