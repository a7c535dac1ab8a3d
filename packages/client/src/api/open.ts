import { createHttp } from '../connection/http.ts';
import { createSession, logIn, type Login } from '../connection/session.ts';
import { ParleyError } from '../errors.ts';
import { pendingListener } from '../pending/listener.ts';
import { emptyRecords, readRecords, valueOf } from '../records/in-memory.ts';
import { identityUri } from '../records/records.ts';
import { recordStore, valueWrite, type RecordStore } from '../records/rows.ts';
import { memoryStorage } from '../store/memory.ts';
import type { Storage } from '../store/store.ts';
import { createSerial, type Context, type Reports } from '../sync/context.ts';
import { createEphemeralState } from '../sync/ephemeral-state.ts';
import { follow, lead, reconsider } from '../sync/lead.ts';
import { createPacketsDuringRequest } from '../sync/packets-during-request.ts';
import { post } from '../sync/post.ts';
import { reload } from '../sync/reload.ts';
import { runCommand } from '../sync/run-command.ts';
import { createSync, endConnection } from '../sync/state.ts';
import { alone } from '../tabs/coordinator.ts';
import type { ClientOptions } from './client-options.ts';
import { receive } from './receive.ts';

const TOKEN = 'session';
/** A request without an answer for this long may be due to a broken connection. Milliseconds. */
const SLOW_MS = 5_000;
const LAST_USER = 'user';

/** Calls and values that a client passes to the parts that serve its user. */
export type Hooks = Reports &
  Pick<Context, 'ended' | 'isWanted' | 'waiting'> & {
    /** Called when a connection was established, here or in the leading tab. */
    readonly connected: () => void;
    /** Called when another tab connects or disconnects all tabs. */
    readonly want: (isWanted: boolean) => void;
    /** Fails while no connection is wanted. */
    readonly fetch: typeof fetch;
    /** Requests a check of the connection. */
    readonly probe: () => void;
  };

export type Opened = {
  readonly ctx: Context;
  /** Opens or closes the connection, depending on `isWanted`. */
  reconsider(): void;
  /** Closes the client; with `forget` the records are removed, too. */
  close(forget: boolean): Promise<void>;
};

/** Opens the records of the named user, or of the last one, or of the user who logs in. */
export async function openUser(options: ClientOptions, hooks: Hooks): Promise<Opened> {
  const { url, appId, storage = memoryStorage(), identityToken } = options;
  const wire = appId.slice(0, appId.indexOf(':'));
  const http = createHttp(url, wire, probing(hooks));
  const login = (): Promise<Login> => logIn(http, appId, identityToken);
  const names = recordStore(await storage.open(storeName(appId)));
  const known = options.userId ?? (await lastUserIn(names));
  const first = known === undefined ? await untilLoggedIn(login, hooks, retryOf(options)) : undefined;
  const userId = known ?? first!.userId;
  await names.write([valueWrite(LAST_USER, userId)]);
  await names.close();
  const name = storeName(appId, userId);
  const opened = await storage.open(name);
  const store = recordStore(opened);
  if (first) await store.write([valueWrite(TOKEN, first.token)]);
  const records = emptyRecords();
  await readRecords(store, records);
  const coordinator = (options.coordinator ?? alone)({ name, store: opened });
  const session = createSession({
    http,
    userId,
    login,
    stored: valueOf(records, TOKEN),
    store: (token) => store.write([valueWrite(TOKEN, token)]),
    otherUser: (found) => hooks.emit('otherUser', { expected: userId, found }),
  });
  const ctx: Context = {
    ...hooks,
    userId,
    me: identityUri(wire, userId),
    wire,
    url: http.url,
    session,
    store,
    records,
    coordinator,
    WebSocket: options.WebSocket ?? globalThis.WebSocket,
    packetsDuringRequest: createPacketsDuringRequest(),
    ephemeral: createEphemeralState(),
    serial: createSerial(),
    retry: retryOf(options),
    listener: pendingListener,
    sync: createSync(),
  };
  return started(ctx, hooks, { storage, names: storeName(appId), name });
}

async function lastUserIn(names: RecordStore): Promise<string | undefined> {
  const [last] = await names.get('values', [LAST_USER]);
  return last && String(last.value);
}

/** The last user of an application whose records are in a storage; undefined if there is none. */
export async function lastUserOf(storage: Storage, appId: string): Promise<string | undefined> {
  const names = recordStore(await storage.open(storeName(appId)));
  return lastUserIn(names).finally(() => names.close());
}

/** Has the connection checked when a request is slow. */
function probing({ fetch, probe }: Hooks): Hooks['fetch'] {
  return async (...request) => {
    const slow = AbortSignal.timeout(SLOW_MS);
    slow.onabort = probe;
    return fetch(...request).finally(() => (slow.onabort = null));
  };
}

function retryOf({ retryInMs }: ClientOptions): Context['retry'] {
  return retryInMs ?? { first: 1000, longest: 30_000 };
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
  const { coordinator } = ctx;
  coordinator.start({
    lead: (epoch) => void lead(ctx, epoch),
    follow: () => follow(ctx),
    refresh: () => void reload(ctx),
    receive: (message) => receive(ctx, hooks, message),
    run: (command) => runCommand(ctx, command),
  });
  post(ctx, { kind: 'joined' });
  if (!hooks.isWanted()) post(ctx, { kind: 'wanted', isWanted: false });
  return {
    ctx,
    reconsider: () => reconsider(ctx),
    async close(forget) {
      endConnection(ctx.sync.state);
      await coordinator.stop();
      follow(ctx);
      await ctx.serial(() => ctx.store.close());
      if (!forget) return;
      await storage.remove(name);
      const store = recordStore(await storage.open(names));
      await store.write([valueWrite(LAST_USER, undefined)]);
      await store.close();
    },
  };
}
