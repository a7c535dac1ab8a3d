import { readFile } from 'node:fs/promises';
import { DONE, refuse, type Answer } from './answer.ts';
import type { Config } from './config.ts';
import { displayName, type SignIdentityToken } from './identity-token.ts';
import { mayExist, type KnownUsers } from './known-users.ts';
import { ensureUser, introducePeople, openDirectory } from './people.ts';
import { callPlatform } from './platform.ts';

/** What the chat's page asks its backend for; values of a JSON object that are texts. */
export type Input = Readonly<Record<string, string>>;

export type Backend = {
  readonly config: Config;
  readonly sign: SignIdentityToken;
  /** The users who have logged in at this backend, since announcements name each recipient. */
  readonly users: KnownUsers;
};

type Action = (backend: Backend, input: Input) => Promise<Answer>;

/** What may be killed: the local platform starts it again. */
const PROCESSES = ['gateway', 'messaging'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SCHEDULE = { delay_in_seconds: 5, typing_indicator_in_seconds: 3 };

/** By path. Each is a POST with the token of the page. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  '/demo/login': logIn,
  '/demo/users': addUser,
  '/demo/welcome': welcome,
  '/demo/schedule': schedule,
  '/demo/announce': announce,
  '/demo/kill': kill,
};

/** {user, nonce} -> {identity_token} */
async function logIn({ config, sign, users }: Backend, { user, nonce }: Input): Promise<Answer> {
  if (!user || !nonce) return refuse(422, 'user and nonce are needed');
  users.add(user);
  // A login succeeds even where the directory of users cannot be opened.
  await openDirectory(config).catch(() => undefined);
  return { status: 200, body: { identity_token: await sign({ user, nonce }) } };
}

/** {user}: makes sure that the user exists, so that conversations with them can be created. One who exists keeps their name. */
async function addUser({ config, users }: Backend, { user = '' }: Input): Promise<Answer> {
  if (!mayExist(user)) return refuse(422, 'user is missing, or is no user id');
  await ensureUser(config, user, displayName(user));
  users.add(user);
  return DONE;
}

/** {user, other}: gives two users people to write with, so that their lists are not empty. */
async function welcome({ config, users }: Backend, { user = '', other = '' }: Input): Promise<Answer> {
  if (![user, other].every(mayExist)) return refuse(422, 'user and other are needed');
  await introducePeople(config, users, [user, other]);
  return DONE;
}

/** {user, conversation, text}: a message that is sent in five seconds; the user seems to type before. */
async function schedule({ config }: Backend, { user, conversation, text }: Input): Promise<Answer> {
  if (!user || !conversation || !text) return refuse(422, 'user, conversation and text are needed');
  const uuid = conversation.slice(conversation.lastIndexOf('/') + 1);
  if (!UUID.test(uuid)) return refuse(422, 'conversation is not an id');
  // eslint-disable-next-line no-restricted-syntax -- a UUID is one segment
  await callPlatform(config, `/conversations/${uuid}/messages`, {
    sender_id: user,
    parts: [{ mime_type: 'text/plain', body: text }],
    notification: { title: displayName(user), text },
    schedule: SCHEDULE,
  });
  return DONE;
}

/** {user, text}: to all users who have logged in. */
async function announce({ config, users }: Backend, { user, text }: Input): Promise<Answer> {
  if (!user || !text) return refuse(422, 'user and text are needed');
  await callPlatform(config, '/announcements', {
    recipients: users.ids(),
    sender_id: user,
    parts: [{ mime_type: 'text/plain', body: text }],
  });
  return DONE;
}

type State = { processes: { name: string; pid: number }[] };

/** {process}: ends it at once, as a crash does. */
async function kill({ config }: Backend, { process: name }: Input): Promise<Answer> {
  if (!name || !PROCESSES.includes(name)) return refuse(422, `process is ${PROCESSES.join(' or ')}`);
  const { processes } = JSON.parse(await readFile(config.stateFile, 'utf8')) as State;
  const killed = processes.filter((one) => one.name === name && end(one.pid));
  return killed.length > 0 ? DONE : refuse(409, `${name} is being started`);
}

/** Whether there was such a process; one that was killed a moment ago may still be named. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
