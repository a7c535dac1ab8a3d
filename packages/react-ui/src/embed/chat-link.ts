import {
  createClient,
  memoryStorage,
  type Client,
  type ClientOptions,
  type ConnectionState,
} from '@parley/client';
import { indexedDbStorage, tabs } from '@parley/client/indexeddb';
import { lastUserOf } from '../../../client/src/api/open.ts';
import { userOfToken } from '../../../client/src/connection/session.ts';
import { forgetDrafts } from '../drafts.ts';
import { readSettings, type ChatAttributes, type ChatSettings } from './chat-settings.ts';
import { askNonce, askToken } from './log-in.ts';
import { ChatProblem } from './problem.ts';

/** State of a chat: it has a client, a problem, or neither while it logs in. */
export type LinkState = { readonly client: Client | null; readonly problem: ChatProblem | undefined };

const WAITING: LinkState = { client: null, problem: undefined };

/** The link between an element and the platform. */
export type ChatLink = {
  readonly subscribe: (changed: () => void) => () => void;
  readonly getSnapshot: () => LinkState;
  /** Begins anew after a problem. */
  readonly restart: () => void;
  /** Ends the session and removes what is on the device, also while the chat logs in or shows a problem. */
  readonly logout: () => Promise<void>;
  readonly close: () => void;
};

/**
 * Logs in by the attributes. The token endpoint says at each beginning who the user is, so that a page never shows the messages
 * of somebody who was logged in before.
 */
export function createLink(attributes: ChatAttributes): ChatLink {
  const listeners = new Set<() => void>();
  let state = WAITING;
  let run = 0;
  function show(next: LinkState): void {
    state = next;
    for (const listener of [...listeners]) listener();
  }
  async function begin(): Promise<void> {
    const before = state.client;
    show(WAITING);
    await attempt(++run, { before, pauseMs: RETRY.firstMs });
  }
  async function attempt(mine: number, { before, pauseMs }: Attempt): Promise<void> {
    await before?.destroy().catch(() => undefined);
    try {
      const settings = readSettings(attributes);
      const nonce = await askNonce(settings);
      const token = await askToken(settings, { nonce, hadSession: false });
      const follow = (client: Client): void => start(mine, settings, client);
      if (mine === run) await openKept({ settings, token, follow });
    } catch (error) {
      if (mine !== run) return;
      void state.client?.destroy().catch(() => undefined);
      const problem = toProblem(error);
      show({ client: null, problem });
      // The sentence stands meanwhile.
      const next = { before: null, pauseMs: Math.min(pauseMs * 2, RETRY.longestMs) };
      if (problem.isTransient) setTimeout(() => mine === run && void attempt(mine, next), pauseMs);
    }
  }
  function start(mine: number, settings: ChatSettings, client: Client): void {
    if (mine !== run) return void client.destroy().catch(() => undefined);
    const isCurrent = (): boolean => mine === run && state.client === client;
    show({ client, problem: undefined });
    listen(client, { settings, isCurrent, show, begin });
  }
  void begin();
  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    getSnapshot: () => state,
    restart: () => void begin(),
    async logout() {
      run++;
      const { client } = state;
      show({ client: null, problem: new ChatProblem('tokenRefused') });
      await logOut(client ?? (await openLast(attributes)));
    },
    close() {
      run++;
      void state.client?.destroy().catch(() => undefined);
      state = WAITING;
    },
  };
}

const RETRY = { firstMs: 1_000, longestMs: 30_000 };

/** `before`: a client that has to end first. `pauseMs`: milliseconds to the next attempt. */
type Attempt = { readonly before: Client | null; readonly pauseMs: number };

type Opening = {
  readonly settings: ChatSettings;
  readonly token: string;
  readonly follow: (client: Client) => void;
};

/**
 * Opens a client with the records on the device, or without any where the browser keeps none, as in some private windows.
 *
 * @throws What `createClient` throws, such as a `TypeError` in an old browser.
 */
async function openKept({ settings, token, follow }: Opening): Promise<void> {
  const kept = openClient(settings, token, { storage: indexedDbStorage(), coordinator: tabs() });
  follow(kept);
  try {
    await kept.ready;
  } catch (error) {
    console.warn('parley-chat: The browser keeps no messages on this device.', error);
    await kept.destroy().catch(() => undefined);
    const client = openClient(settings, token, { storage: memoryStorage() });
    follow(client);
    await client.ready;
  }
}

/** The problem to show for an error; one that was not foreseen is in the console as it is. */
function toProblem(error: unknown): ChatProblem {
  if (error instanceof ChatProblem) return error;
  console.error(error);
  return new ChatProblem('notShown', { reason: String(error) });
}

type Listening = {
  readonly settings: ChatSettings;
  /** Whether the client is the one of the chat still. */
  readonly isCurrent: () => boolean;
  readonly show: (next: LinkState) => void;
  readonly begin: () => Promise<void>;
};

/** Shows what becomes of a client. */
function listen(client: Client, { settings, isCurrent, show, begin }: Listening): void {
  client.on('connection', (connection) => {
    if (!isCurrent()) return;
    const problem = connection.status === 'online' ? undefined : problemOf(connection, settings);
    if (problem || connection.status === 'online') show({ client, problem });
  });
  client.on('diagnostic', ({ name, data }) => {
    if (isCurrent() && name === 'socket_closed' && data['code'] === FORBIDDEN)
      show({ client, problem: originNotAllowed() });
  });
  client.on('otherUser', () => isCurrent() && void begin());
  client.on('loggedOut', () => {
    if (!isCurrent()) return;
    // A client of another tab or element that goes on would log in again, and write the records anew.
    void client.destroy().catch(() => undefined);
    show({ client: null, problem: new ChatProblem('tokenRefused') });
  });
}

/** The code by which a socket is closed for a page that may not use it. */
const FORBIDDEN = 4403;

function openClient(
  settings: ChatSettings,
  token: string,
  keeping: Pick<ClientOptions, 'storage' | 'coordinator'>,
): Client {
  let given: string | undefined = token;
  let hadSession = false;
  const client = createClient({
    url: settings.platform,
    appId: settings.application,
    userId: userOfToken(token),
    async identityToken(nonce) {
      const first = given;
      given = undefined;
      return first ?? askToken(settings, { nonce, hadSession });
    },
    ...keeping,
  });
  client.on('connection', ({ status }) => {
    if (status !== 'online') return;
    hadSession = true;
    // The session of the last time was good still; a nonce is good for ten minutes.
    given = undefined;
  });
  return client;
}

/** A client of the user whose records are on the device; null if there are none. */
async function openLast(attributes: ChatAttributes): Promise<Client | null> {
  const settings = settingsOf(attributes);
  const userId = settings && (await lastUserOf(indexedDbStorage(), settings.application));
  if (!settings || userId === undefined) return null;
  return createClient({
    url: settings.platform,
    appId: settings.application,
    userId,
    identityToken: () => Promise.reject(new ChatProblem('tokenRefused')),
    storage: indexedDbStorage(),
    coordinator: tabs(),
  });
}

/** Undefined where the attributes name no application, of which nothing can be on the device. */
function settingsOf(attributes: ChatAttributes): ChatSettings | undefined {
  try {
    return readSettings(attributes);
  } catch {
    return undefined;
  }
}

async function logOut(client: Client | null): Promise<void> {
  client?.on('loggedOut', () => forgetDrafts(client));
  await client?.logout();
}

/** Why a connection has ended, if waiting does not help. */
function problemOf({ error }: ConnectionState, settings: ChatSettings): ChatProblem | undefined {
  const { platform: url, application, tokenEndpoint } = settings;
  if (error?.id === 'login_failed') return ChatProblem.fromData(error.data);
  if (error?.id === 'access_denied') return originNotAllowed();
  if (error?.id === 'invalid_app_id' || error?.id === 'app_suspended')
    return new ChatProblem('wrongApplication', { url, application });
  if (error?.id === 'invalid_property') return new ChatProblem('tokenInvalid', { url: tokenEndpoint });
  return undefined;
}

function originNotAllowed(): ChatProblem {
  return new ChatProblem('originNotAllowed', { origin: location.origin });
}
