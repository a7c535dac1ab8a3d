import type { Config } from './config.ts';
import { displayName } from './identity-token.ts';
import type { KnownUsers } from './known-users.ts';
import { callPlatform, PlatformError } from './platform.ts';

const CONFLICT = 409;

/** Makes a user who is new; `userId` is one that may exist. A user who exists is left as they are. */
export async function ensureUser(config: Config, userId: string, name: string): Promise<void> {
  try {
    // eslint-disable-next-line no-restricted-syntax -- `mayExist` has refused dots
    const path = `/users/${encodeURIComponent(userId)}/identity`;
    await callPlatform(config, path, { display_name: name });
  } catch (error) {
    if (!(error instanceof PlatformError && error.status === CONFLICT)) throw error;
  }
}

const PEOPLE: Readonly<Record<string, string>> = {
  katherine: 'Katherine Johnson',
  alan: 'Alan Turing',
  margaret: 'Margaret Hamilton',
  joan: 'Joan Clarke',
};

type Exchange = {
  participants: string[];
  metadata?: Record<string, string>;
  /** By user id, of those who are no members. */
  roles?: Record<string, 'owner' | 'moderator'>;
  /** Senders and texts, in order, and how users reacted. */
  said: [sender: string, text: string, reactions?: Record<string, string>][];
};

/** Conversations of two users with people of the history of computing. */
function exchangesOf(one: string, other: string): Exchange[] {
  return [
    {
      participants: [one, 'alan'],
      said: [
        ['alan', 'Is the Analytical Engine free on Thursday?'],
        [one, 'After four. It is still computing Bernoulli numbers.'],
      ],
    },
    {
      participants: [other, 'joan'],
      said: [
        ['joan', 'Found the bug: a real moth, in relay 70.'],
        [other, 'Tape it into the log book, please.'],
      ],
    },
    {
      participants: [one, other, 'katherine', 'margaret'],
      metadata: { title: 'Moon landing' },
      roles: { [one]: 'owner', margaret: 'moderator' },
      said: [
        [
          'katherine',
          'I checked the trajectory by hand:\n- launch window: **13:32**\n- free return: yes',
          { margaret: '🚀', [one]: '🚀', [other]: '❤️' },
        ],
        ['margaret', 'The priority display is in. Alarm `1202` will not stop us.'],
        [other, 'Compiles here.'],
      ],
    },
  ];
}

/** Gives two users people to write with, and what these have written. */
export async function introducePeople(
  config: Config,
  known: KnownUsers,
  two: [string, string],
): Promise<void> {
  const names = Object.assign(Object.fromEntries(two.map((id) => [id, displayName(id)])), PEOPLE);
  for (const [userId, name] of Object.entries(names)) {
    await ensureUser(config, userId, name);
    known.add(userId);
  }
  for (const exchange of exchangesOf(...two)) await play(config, exchange);
}

async function play(config: Config, { participants, metadata = {}, roles, said }: Exchange): Promise<void> {
  const distinct = participants.length === 2;
  const creation = { participants, metadata, distinct, ...(roles && { roles }) };
  const { id } = await callPlatform<{ id: string }>(config, '/conversations', creation);
  // eslint-disable-next-line no-restricted-syntax -- the platform made the uuid
  const path = `/conversations/${uuidOf(id)}/messages`;
  for (const [sender, text, reactions = {}] of said) {
    const body = { sender_id: sender, parts: [{ mime_type: 'text/plain', body: text }] };
    const message = await callPlatform<{ id: string }>(config, path, body);
    for (const [user, key] of Object.entries(reactions)) await react(config, message.id, { user, key });
  }
}

async function react(
  config: Config,
  message: string,
  { user, key }: { user: string; key: string },
): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- `mayExist` has refused dots, and no key is made of dots
  const path = `/users/${encodeURIComponent(user)}/messages/${uuidOf(message)}/reactions/${encodeURIComponent(key)}`;
  await callPlatform(config, { method: 'PUT', path });
}

function uuidOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

const opened = new WeakSet<Config>();

/** Lets the users of the application find each other by name; before they connect, since their clients learn it then. */
export async function openDirectory(config: Config): Promise<void> {
  if (opened.has(config)) return;
  const patch = [{ operation: 'set', property: 'user_directory', value: 'everyone' }];
  await callPlatform(config, { method: 'PATCH', path: '' }, patch);
  opened.add(config);
}
