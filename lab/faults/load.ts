import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { textPart, type TestUser } from '../../test/support/app.ts';
import { activator } from './activations.ts';
import type { Client } from './client.ts';
import { uploader } from './contents.ts';
import type { History, Sent } from './history.ts';
import { logIn } from './log-in.ts';
import { moderator, reactor } from './moderation.ts';
import { remover } from './removals.ts';
import type { Round } from './round.ts';
import { silencer } from './silence.ts';
import { suspender } from './suspensions.ts';

/** Clients that send one request after another until they are stopped. */
export type Load = {
  /** How many messages were acknowledged. */
  readonly sent: number;
  /** Resolves when the requests under way are answered. */
  stop(): Promise<void>;
};

const PAUSE_MS = 5;
const READS_OF_THE_LAST = 40;
const JOIN_AGAIN_MS = 100;
const JOINED_WITHIN_MS = 60_000;

type Work = { round: Round; client: Client; history: History; hasReleasedProcesses: boolean };

function session({ token }: TestUser): string {
  return `Svc session-token="${token}"`;
}
function path(conversation: string): string {
  return `/conversations/${conversation}`;
}

/** Sends a message with one id until it is acknowledged; undefined when the sender takes no part and `mayBeOut`. */
async function trySend(
  { client, history }: Work,
  sender: TestUser,
  conversation: string,
  { hiddenFrom = [], mayBeOut = false }: { hiddenFrom?: readonly string[]; mayBeOut?: boolean },
): Promise<Sent | undefined> {
  const id = randomUUID();
  const begunAt = Date.now();
  const { status, body } = await client({
    ...{ method: 'POST', path: `${path(conversation)}/messages`, authorization: session(sender) },
    body: { id, parts: [textPart('under load')], notification: { title: sender.id, text: 'under load' } },
    expected: mayBeOut ? [201, 404, 409] : [201, 409],
  });
  if (status === 404) return undefined;
  const { position } = status === 409 ? body.data : body;
  const sent = { id, conversation, sender: sender.id, position, hiddenFrom, deleted: false, begunAt };
  history.sent.push(sent);
  return sent;
}

/** Sends as a participant does. */
async function send(
  work: Work,
  sender: TestUser,
  conversation: string,
  hiddenFrom: readonly string[] = [],
): Promise<Sent> {
  const sent = await trySend(work, sender, conversation, { hiddenFrom });
  if (!sent) throw new Error(`${sender.id} does not take part in ${conversation}`);
  return sent;
}

/** Sends to one conversation after another, and every now and then deletes a message of its own, at once or after a few more. */
function writer(work: Work, user: TestUser): () => Promise<void> {
  const own: Sent[] = [];
  let turn = 0;
  return async () => {
    const { shared } = work.round;
    turn += 1;
    own.push(await send(work, user, shared[turn % shared.length] ?? ''));
    const sent = turn % 12 === 0 ? own.at(turn % 24 === 0 ? -1 : -7) : undefined;
    if (!sent) return;
    sent.deleted = true;
    await work.client({
      ...{ method: 'DELETE', path: `/messages/${sent.id}?mode=all_participants` },
      ...{ authorization: session(user), expected: [204, 404] },
    });
    sent.deletedAt = Date.now();
  };
}

/** Reads some of the newest messages of others. */
function reader(work: Work, user: TestUser): () => Promise<void> {
  let turn = 0;
  return async () => {
    const { round, history, client } = work;
    const others = history.sent
      .slice(-READS_OF_THE_LAST)
      .filter(
        (one) =>
          one.sender !== user.id &&
          !one.deleted &&
          !one.hiddenFrom.includes(user.id) &&
          round.members.get(one.conversation)?.includes(user.id),
      );
    turn += 7;
    const message = others[turn % Math.max(1, others.length)];
    if (!message) return;
    // It may have been deleted in the meantime: then it is not counted anyway.
    await client({
      ...{ method: 'POST', path: `/messages/${message.id}/receipts`, authorization: session(user) },
      ...{ body: { type: 'read' }, expected: [204, 404] },
    });
    history.read.set(user.id, (history.read.get(user.id) ?? new Set()).add(message.id));
  };
}

/** A participant is removed, tries to send, is added, and sends. */
function guest(work: Work): () => Promise<void> {
  const { round, client, history } = work;
  const { host, guest: user } = round.users;
  const conversation = round.guests;
  const change = (operation: 'add' | 'remove') =>
    client({
      ...{ method: 'PATCH', path: path(conversation), authorization: session(host), expected: [204] },
      body: [{ operation, property: 'participants', id: user.id }],
    });
  return async () => {
    await change('remove');
    const { status } = await client({
      ...{ method: 'POST', path: `${path(conversation)}/messages`, authorization: session(user) },
      ...{ body: { parts: [textPart('from outside')] }, expected: [201, 403, 404] },
    });
    if (status === 201) history.faults.push(`a removed participant sent a message to ${conversation}`);
    await change('add');
    await send(work, user, conversation);
    await send(work, host, conversation);
  };
}

/** A user blocks another user, who sends; the block is lifted, and the other user sends again. */
function blocker(work: Work): () => Promise<void> {
  const { round, client } = work;
  const { bob, blocked } = round.users;
  const change = (method: 'PUT' | 'DELETE') =>
    client({
      ...{ method, path: `/blocks/${blocked.id}`, authorization: session(bob), expected: [204] },
    });
  return async () => {
    await change('PUT');
    await send(work, blocked, round.shared[0] ?? '', [bob.id]);
    await change('DELETE');
    await send(work, blocked, round.shared[0] ?? '');
  };
}

/** The two users come from one state of their blocks into the next, and each of them sends in every one. */
function mutualBlockers(work: Work): () => Promise<void> {
  const { round, client } = work;
  const { shy, bold } = round.users;
  const change = (method: 'PUT' | 'DELETE', who: TestUser, whom: TestUser) =>
    client({ method, path: `/blocks/${whom.id}`, authorization: session(who), expected: [204] });
  const sendBoth = async (blocking: readonly TestUser[]): Promise<void> => {
    const hidesFrom = (user: TestUser) => (blocking.includes(user) ? [user.id] : []);
    await send(work, bold, round.quarrels, hidesFrom(shy));
    await send(work, shy, round.quarrels, hidesFrom(bold));
  };
  return async () => {
    await change('PUT', shy, bold);
    await sendBoth([shy]);
    await change('PUT', bold, shy);
    await sendBoth([shy, bold]);
    await change('DELETE', shy, bold);
    await sendBoth([bold]);
    await change('DELETE', bold, shy);
    await sendBoth([]);
    await pause(200);
  };
}

function announcer({ round, client, history }: Work): () => Promise<void> {
  return async () => {
    const { body } = await client({
      ...{ method: 'POST', path: `/apps/${round.app.appUuid}/announcements` },
      authorization: `Bearer ${round.app.accessToken}`,
      headers: { 'idempotency-key': randomUUID() },
      body: {
        recipients: round.followed.map(({ id }) => id),
        sender_id: round.users.host.id,
        parts: [textPart('hear, hear')],
      },
      expected: [202],
    });
    history.announced.push(body.id);
    await pause(200);
  };
}

/** Adds a user to a conversation; without effect where they take part. */
async function join({ round, client }: Work, user: TestUser, conversation: string): Promise<void> {
  await client({
    ...{ method: 'PATCH', path: `/apps/${round.app.appUuid}/conversations/${conversation}` },
    ...{ authorization: `Bearer ${round.app.accessToken}`, expected: [204] },
    body: [{ operation: 'add', property: 'participants', id: user.uri }],
  });
}

/** Release 0.1.0 may take the participation of the person before for theirs, and then the user has to be added again. */
async function joinAndSend(work: Work, user: TestUser, conversation: string): Promise<void> {
  const end = Date.now() + JOINED_WITHIN_MS;
  for (;;) {
    await join(work, user, conversation);
    const mayBeOut = work.hasReleasedProcesses && Date.now() < end;
    if (await trySend(work, user, conversation, { mayBeOut })) return;
    await pause(JOIN_AGAIN_MS);
  }
}

/** The next person with the user id of an erased one has no conversation. */
async function expectNothing({ client }: Work, user: TestUser): Promise<void> {
  const { body } = await client({
    ...{ method: 'GET', path: '/conversations', authorization: session(user), expected: [200] },
  });
  if (body.length > 0) throw new Error(`${user.id}, who is another person now, sees ${JSON.stringify(body)}`);
}

/**
 * A user sends, is erased, logs in again, sees nothing, is added anew, and sends: what was sent before is gone, what was sent
 * afterwards stays.
 */
function returner(work: Work): () => Promise<void> {
  const { round, client, history } = work;
  const { host } = round.users;
  let user = round.users.returning;
  return async () => {
    await joinAndSend(work, user, round.returns);
    await send(work, host, round.returns);
    await client({
      ...{ method: 'DELETE', path: `/apps/${round.app.appUuid}/users/${user.id}` },
      ...{ authorization: `Bearer ${round.app.accessToken}`, expected: [202] },
    });
    for (const sent of history.sent) sent.deleted ||= sent.sender === user.id;
    user = await logIn(work, user.id);
    // The next load of the round goes on with this session.
    round.users.returning = user;
    if (!work.hasReleasedProcesses) await expectNothing(work, user);
    await joinAndSend(work, user, round.returns);
    await pause(400);
  };
}

/** `hasReleasedProcesses`: some are of release 0.1.0, where the next person with a user id still sees the conversations of the first one. */
export function startLoad(
  round: Round,
  client: Client,
  history: History,
  { hasReleasedProcesses = false } = {},
): Load {
  const work = { round, client, history, hasReleasedProcesses };
  const { ada, bob, host } = round.users;
  const steps = [
    ...[ada, bob, host].map((user) => writer(work, user)),
    ...[ada, bob].map((user) => reader(work, user)),
    ...(hasReleasedProcesses ? [] : [moderator(work), ...[ada, host].map((user) => reactor(work, user))]),
    ...[guest(work), blocker(work), mutualBlockers(work), returner(work), announcer(work)],
    ...(history.contents
      ? [uploader({ round, client, contents: history.contents, sent: history.sent })]
      : []),
    ...(history.silent ? [silencer(work), suspender(work), activator(work), remover(work)] : []),
  ];
  let stopped = false;
  async function repeat(step: () => Promise<void>): Promise<void> {
    while (!stopped) {
      await step().catch((error: unknown) => history.faults.push(String(error)));
      await pause(PAUSE_MS);
    }
  }
  const working = Promise.all(steps.map(repeat));
  return {
    get sent() {
      return history.sent.length;
    },
    stop: async () => {
      stopped = true;
      await working;
    },
  };
}
