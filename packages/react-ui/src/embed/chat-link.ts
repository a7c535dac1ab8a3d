import { createClient, type Client, type ConnectionState } from '@parley/client';
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
    const mine = ++run;
    const before = state.client;
    show(WAITING);
    await before?.destroy().catch(() => undefined);
    try {
      const settings = readSettings(attributes);
      const nonce = await askNonce(settings);
      const token = await askToken(settings, { nonce, hadSession: false });
      if (mine === run) follow(settings, token);
    } catch (error) {
      if (mine === run && error instanceof ChatProblem) show({ client: null, problem: error });
    }
  }
  function follow(settings: ChatSettings, token: string): void {
    const client = openClient(settings, token);
    const mine = run;
    const isCurrent = (): boolean => mine === run && state.client === client;
    show({ client, problem: undefined });
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

/** The code by which a socket is closed for a page that may not use it. */
const FORBIDDEN = 4403;

function openClient(settings: ChatSettings, token: string): Client {
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
    storage: indexedDbStorage(),
    coordinator: tabs(),
  });
  client.on('connection', ({ status }) => {
    hadSession ||= status === 'online';
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
  if (error?.cause instanceof ChatProblem) return error.cause;
  if (error?.id === 'access_denied') return originNotAllowed();
  if (error?.id === 'invalid_app_id' || error?.id === 'app_suspended')
    return new ChatProblem('wrongApplication', { url, application });
  if (error?.id === 'invalid_property') return new ChatProblem('tokenInvalid', { url: tokenEndpoint });
  return undefined;
}

function originNotAllowed(): ChatProblem {
  return new ChatProblem('originNotAllowed', { origin: location.origin });
}
