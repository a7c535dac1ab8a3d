import { setTimeout as pause } from 'node:timers/promises';
import { adminCall, textPart, uuidOf, type TestUser } from '../../test/support/app.ts';
import type { Client } from '../faults/client.ts';
import type { Round } from '../faults/round.ts';

const SOON_MS = 10_000;
const AGAIN_MS = 250;

/** Users beside those of the load, whose access ends after the last moment. */
export type Cast = {
  /** Is erased. */
  erased: TestUser;
  /** A conversation of the host and the user who is erased. */
  conversation: string;
  /** One session of this user ends. */
  signedOut: TestUser;
  /** Is suspended. */
  suspended: TestUser;
};

/** Prepares the cast, before the first moment. */
export async function castOf({ app, users }: Round): Promise<Cast> {
  const [erased, signedOut, suspended] = [
    await app.login('erased'),
    await app.login('signed-out'),
    await app.login('suspended'),
  ];
  const body = { participants: [erased.id], distinct: false };
  const { body: created } = await users.host.call('POST', '/conversations', 201, { body });
  const conversation = uuidOf(created.id);
  await say(erased, conversation);
  return { erased, conversation, signedOut, suspended };
}

async function say(user: TestUser, conversation: string): Promise<string> {
  const body = { parts: [textPart('said')] };
  return uuidOf((await user.call('POST', `/conversations/${conversation}/messages`, 201, { body })).body.id);
}

/** Between the moments: a block, and a user who is new. */
export async function actBetween({ app, users }: Round): Promise<void> {
  await users.host.call('PUT', `/blocks/${users.blocked.id}`, 204);
  await app.login('newcomer', { display_name: 'New' });
  const body = { participants: ['newcomer'], distinct: false };
  await users.host.call('POST', '/conversations', 201, { body });
}

/** Performs the acts after the last moment, which a restore undoes and the journal repeats. */
export async function actAfter({ app, users }: Round, { erased, signedOut, suspended }: Cast): Promise<void> {
  for (const user of [erased, users.returning]) await app.server('DELETE', `/users/${user.id}`, 202);
  await signedOut.call('DELETE', `/sessions/${signedOut.token}`, 204);
  await adminCall(app.platform, 'SuspendUser', { app_uuid: app.appUuid, user_id: suspended.id });
  // The journal is stored within a moment of its act.
  await pause(2_000);
}

/** Repeats a check until it finds nothing, or time is up. */
async function eventually(check: () => Promise<string[]>): Promise<string[]> {
  const end = Date.now() + SOON_MS;
  for (;;) {
    const problems = await check();
    if (problems.length === 0 || Date.now() > end) return problems;
    await pause(AGAIN_MS);
  }
}

async function statusOf(client: Client, { token }: TestUser): Promise<number> {
  const authorization = `Svc session-token="${token}"`;
  const read = { method: 'GET', path: '/conversations', authorization, expected: [200, 401, 403] };
  return (await client(read)).status;
}

/** Describes ended access that works again, and messages of the erased user that are shown again. */
export async function checkJournal({ users }: Round, client: Client, cast: Cast): Promise<string[]> {
  const problems: string[] = [];
  for (const name of ['erased', 'signedOut', 'suspended'] as const)
    if ((await statusOf(client, cast[name])) === 200)
      problems.push(`the session of ${cast[name].id} is valid again`);
  const shown = await eventually(async () => {
    const { body } = await users.host.call('GET', `/conversations/${cast.conversation}/messages`, 200);
    const own = (body as { sender?: { user_id?: string } }[]).filter(
      ({ sender }) => sender?.user_id === cast.erased.id,
    );
    return own.length > 0 ? ['messages of an erased user are shown again'] : [];
  });
  return [...problems, ...shown];
}

/** Describes blocks that do not hold: one from between the moments, if a database remembers it, and new ones. */
export async function checkBlocks(
  round: Round,
  { isRemembered }: { isRemembered: boolean },
): Promise<string[]> {
  const { ada, bob, host, blocked } = round.users;
  const conversation = round.shared[0] ?? '';
  const sees = async (user: TestUser, id: string): Promise<boolean> => {
    const { body } = await user.call('GET', `/conversations/${conversation}/messages?page_size=20`, 200);
    return (body as { id: string }[]).some((message) => uuidOf(message.id) === id);
  };
  await ada.call('PUT', `/blocks/${blocked.id}`, 204);
  await bob.call('PUT', `/blocks/${blocked.id}`, 204);
  await bob.call('DELETE', `/blocks/${blocked.id}`, 204);
  const id = await say(blocked, conversation);
  const problems: string[] = [];
  if (await sees(ada, id)) problems.push('a block that was made after the restore does not hold');
  if (!(await sees(bob, id))) problems.push('a block that was lifted after the restore holds');
  const { body: listed } = await host.call('GET', '/blocks', 200);
  const isListed = (listed as { user_id?: string }[]).some((one) => one.user_id === blocked.id);
  if (isRemembered && (await sees(host, id)))
    problems.push('a block that a database remembers does not hold');
  if (isRemembered && !isListed) problems.push('a block that a database remembers is not listed');
  return problems;
}

/** Describes conversations in which no message can be sent and read. */
export async function checkSends({ users, members }: Round): Promise<string[]> {
  const problems: string[] = [];
  for (const conversation of members.keys()) {
    const id = await say(users.host, conversation);
    const { body } = await users.ada.call('GET', `/conversations/${conversation}/messages?page_size=1`, 200);
    const [newest] = body as { id: string }[];
    if (!newest || uuidOf(newest.id) !== id)
      problems.push(`a message sent to ${conversation} is not its newest`);
  }
  return problems;
}

/** Describes a new user who is not there although a database remembers the user. */
export async function checkNewcomer({ app }: Round, client: Client): Promise<string[]> {
  const path = `/apps/${app.appUuid}/users/newcomer/identity`;
  const authorization = `Bearer ${app.accessToken}`;
  const { status } = await client({ method: 'GET', path, authorization, expected: [200, 404] });
  return status === 200 ? [] : ['a user whom a database remembers has no identity'];
}
