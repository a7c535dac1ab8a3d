import { createHttp } from '../connection/http.ts';
import { createSession, logIn, type Login } from '../connection/session.ts';
import { ParleyError, type ErrorRecord } from '../errors.ts';
import { processPending, announceFailed } from '../pending/process.ts';
import type { Operation } from '../records/operation.ts';
import type { Storage, Store, Write } from '../store/store.ts';
import { memoryStorage } from '../store/memory.ts';
import { alone, type Command } from '../tabs/coordinator.ts';
import { absorb, emptyRecords, readRecords } from '../records/in-memory.ts';
import { createSerial, setConnection, type Context } from '../sync/context.ts';
import { readOlder, readOlderAnnouncements } from '../sync/history.ts';
import { createPacketsDuringRequest } from '../sync/packets-during-request.ts';
import { keepConnected, watchPresence } from '../sync/connection.ts';
import { readConversation, readMessage } from '../sync/refetch.ts';
import { makeRoom } from '../sync/prune.ts';
import { reload } from '../sync/reload.ts';
import { applyEphemeralChange, createEphemeralState, type EphemeralChange } from '../sync/ephemeral-state.ts';
import { identityUri, type Message } from '../records/records.ts';
import type { ClientOptions } from './client-options.ts';
import type { ConnectionState } from './events.ts';

const TOKEN = 'session';
const LAST_USER = 'user';

/** What a client gives to the parts that serve its user. */
export type Hooks = Pick<Context, 'emit' | 'diagnose' | 'changed' | 'sent' | 'ended' | 'isWanted'> & {
  /** A connection has come up, here or in the tab that leads. */
  readonly connected: () => void;
  /** Another tab connects or disconnects all of them. */
  readonly want: (isWanted: boolean) => void;
  /** Fails while no connection is wanted. */
  readonly fetch: typeof fetch;
  /** Waits of the client, which a wish of the application ends. */
  readonly waiting: Context['waiting'];
};

export type Opened = {
  readonly ctx: Context;
  /** Opens or ends the connection, as `isWanted` says. */
  reconsider(): void;
  /** Ends; with `forget` it removes the records too. */
  close(forget: boolean): Promise<void>;
};

/** Opens the records of a user: of the one named, or of the last one, or of the one who logs in. */
export async function openUser(options: ClientOptions, hooks: Hooks): Promise<Opened> {
  const { url, appId, storage = memoryStorage(), identityToken } = options;
  const wire = appId.slice(0, appId.indexOf(':'));
  const http = createHttp(url, wire, hooks.fetch);
  const login = (): Promise<Login> => logIn(http, appId, identityToken);
  const names = await storage.open(storeName(appId));
  const known = options.userId ?? ((await names.get('values', [LAST_USER]))[0]?.value as string | undefined);
  const first = known === undefined ? await untilLoggedIn(login, hooks, retryOf(options)) : undefined;
  const userId = known ?? first!.userId;
  await names.write([put(LAST_USER, userId)]);
  await names.close();
  const name = storeName(appId, userId);
  const store = await storage.open(name);
  if (first) await store.write([put(TOKEN, first.token)]);
  const records = emptyRecords();
  await readRecords(store, records);
  const coordinator = (options.coordinator ?? alone)({ name, store });
  const session = createSession({
    http,
    userId,
    login,
    stored: records.values.get(TOKEN) as string | undefined,
    store: (token) =>
      store.write([
        token === undefined ? { kind: 'remove', table: 'values', key: TOKEN } : put(TOKEN, token),
      ]),
    otherUser: (found) => hooks.emit('otherUser', { expected: userId, found }),
  });
  const ctx: Context = {
    userId,
    me: identityUri(wire, userId),
    wire,
    http,
    session,
    store,
    records,
    coordinator,
    WebSocket: options.WebSocket ?? globalThis.WebSocket,
    packetsDuringRequest: createPacketsDuringRequest(),
    ephemeral: createEphemeralState(),
    serial: createSerial(),
    retry: retryOf(options),
    ...hooks,
    epoch: undefined,
    socket: undefined,
    isReplaying: false,
    connection: { status: 'connecting', error: undefined },
  };
  return started(ctx, hooks, { storage, names: storeName(appId), name });
}

function retryOf({ retryInMs }: ClientOptions): Context['retry'] {
  return retryInMs ?? { first: 1000, longest: 30_000 };
}

function put(key: string, value: unknown): Write {
  return { kind: 'put', table: 'values', row: { key, group: '', order: 0, value } };
}

/** Stores are named by application and user. */
export function storeName(appId: string, userId?: string): string {
  const app = appId.slice(appId.lastIndexOf('/') + 1);
  if (userId === undefined) return `parley/${app}`;
  const user = encodeURIComponent(userId).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  // eslint-disable-next-line no-restricted-syntax -- a name of a store
  return `parley/${app}/${user}`;
}

async function untilLoggedIn(
  login: () => Promise<Login>,
  hooks: Hooks,
  retry: Context['retry'],
): Promise<Login> {
  for (let pause = retry.first; ; pause = Math.min(retry.longest, pause * 2)) {
    try {
      return await login();
    } catch (error) {
      if (hooks.ended.aborted) throw error;
      hooks.diagnose('login_retried', { error: error instanceof ParleyError ? error.id : String(error) });
      await hooks.waiting.wait(pause, hooks.ended);
      if (hooks.ended.aborted) throw error;
    }
  }
}

type Names = { readonly storage: Storage; readonly names: string; readonly name: string };

function started(ctx: Context, hooks: Hooks, { storage, names, name }: Names): Opened {
  let leading: AbortController | undefined;

  function reconsider(): void {
    const { epoch } = ctx;
    if (epoch === undefined || !hooks.isWanted()) {
      leading?.abort();
      leading = undefined;
      if (epoch !== undefined) setConnection(ctx, { status: 'offline', error: undefined });
    } else if (!leading) {
      const own = (leading = new AbortController());
      void keepConnected(ctx, epoch, own.signal).catch((error: unknown) =>
        hooks.diagnose('connection_ended', { reason: String(error) }),
      );
      processPending(ctx);
    }
  }
  const readAgain = (): Promise<void> =>
    reload(ctx).catch((error: unknown) => hooks.diagnose('not_read_again', { reason: String(error) }));
  ctx.coordinator.start({
    lead(epoch) {
      leading?.abort();
      leading = undefined;
      ctx.epoch = epoch;
      // The leader before may have ended before it said what it wrote.
      void readAgain().then(reconsider);
    },
    follow() {
      ctx.epoch = undefined;
      reconsider();
    },
    refresh: () => void readAgain(),
    receive: (message) => receive(ctx, hooks, message as TabMessage),
    run: (command) => runCommand(ctx, command),
  });
  ctx.coordinator.post({ kind: 'joined' });
  if (!hooks.isWanted()) ctx.coordinator.post({ kind: 'wanted', isWanted: false });
  return {
    ctx,
    reconsider,
    async close(forget) {
      leading?.abort();
      await ctx.coordinator.stop();
      ctx.epoch = undefined;
      await ctx.serial(() => ctx.store.close());
      if (!forget) return;
      await storage.remove(name);
      const store: Store = await storage.open(names);
      await store.write([{ kind: 'remove', table: 'values', key: LAST_USER }]);
      await store.close();
    },
  };
}

type TabMessage =
  | { readonly kind: 'writes'; readonly writes: readonly Write[] }
  | { readonly kind: 'sent'; readonly message: Message }
  | { readonly kind: 'failed'; readonly operation: Operation; readonly error: ErrorRecord }
  | { readonly kind: 'connection'; readonly status: ConnectionState['status'] }
  | { readonly kind: 'loggedOut' }
  /** The application connects or disconnects, in all tabs, which share one socket. */
  | { readonly kind: 'wanted'; readonly isWanted: boolean }
  /** A tab was opened, and asks how the leader stands to the platform. */
  | { readonly kind: 'joined' }
  | EphemeralChange;

/** Does what another tab has done. */
function receive(ctx: Context, hooks: Hooks, message: TabMessage): void {
  if (message.kind === 'writes')
    void ctx.serial(() => {
      absorb(ctx.records, message.writes);
      ctx.changed(message.writes, false);
      processPending(ctx);
      return Promise.resolve();
    });
  else if (message.kind === 'sent') void ctx.serial(() => Promise.resolve(ctx.sent(message.message)));
  else if (message.kind === 'failed') announceFailed(ctx, message.operation, new ParleyError(message.error));
  else if (message.kind === 'loggedOut') ctx.emit('loggedOut', undefined);
  else if (message.kind === 'joined') {
    if (ctx.epoch === undefined) return;
    ctx.coordinator.post({ kind: 'connection', status: ctx.connection.status });
    if (!hooks.isWanted()) ctx.coordinator.post({ kind: 'wanted', isWanted: false });
  } else if (message.kind === 'wanted') hooks.want(message.isWanted);
  else if (message.kind === 'connection') {
    if (ctx.epoch !== undefined) return;
    setConnection(ctx, { status: message.status, error: undefined });
    if (message.status === 'online') hooks.connected();
  } else if (message.kind === 'typing' || message.kind === 'presence') {
    applyEphemeralChange(ctx.ephemeral, message);
    ctx.changed([], false);
  }
}

type Place = {
  conversation: string;
  pageSize: number;
  id: string;
  ids: string[];
  method: string;
  path: string;
  body?: unknown;
};

/** What only the leader does. */
async function runCommand(ctx: Context, { name, data }: Command): Promise<unknown> {
  const { epoch } = ctx;
  if (epoch === undefined) throw new ParleyError({ id: 'network_error' });
  const place = data as Place;
  if (name === 'readOlder') return readOlder(ctx, epoch, place);
  if (name === 'readOlderAnnouncements') return readOlderAnnouncements(ctx, epoch, place.pageSize);
  if (name === 'readConversation') return readConversation(ctx, epoch, place.id);
  if (name === 'readMessage') return readMessage(ctx, epoch, place.id);
  if (name === 'prune') return makeRoom(ctx);
  if (name === 'watchPresence') return watchPresence(ctx, ctx.socket, place.ids);
  if (name === 'signal') return ctx.socket?.signal(data);
  if (name === 'request') return (await ctx.session.send(place)).body;
  throw new ParleyError({ id: 'invalid_request' });
}
