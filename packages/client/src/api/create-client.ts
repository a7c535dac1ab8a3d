import { batched, watchEnvironment } from '../connection/environment.ts';
import { createGate, type Gate } from '../connection/gate.ts';
import { createWaiting } from '../connection/waiting.ts';
import { clientEnded, ParleyError } from '../errors.ts';
import { act } from '../pending/act.ts';
import { viewerOf } from '../pending/optimistic-view.ts';
import { uuid7 } from '../uuid.ts';
import { pathTo } from '../path.ts';
import type { Context } from '../sync/context.ts';
import { probe } from '../sync/lead.ts';
import { post } from '../sync/post.ts';
import type { ConversationType } from '../records/policy.ts';
import { valueOf } from '../records/in-memory.ts';
import { isEqual, type Identity } from '../records/records.ts';
import { FEATURES } from '../records/rows.ts';
import { createTransfer, type Transfer } from '../transfer/transfer.ts';
import type { Actions } from './actions.ts';
import { createDeliveries } from './deliveries.ts';
import type { Client, NewConversation } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import type { ClientEvents } from './events.ts';
import { createEmitter, type Emitter } from './emitter.ts';
import { createActions } from './create-actions.ts';
import { createHost } from './create-host.ts';
import type { Host } from './host.ts';
import { announcementsQuery, conversationsQuery } from './list-queries.ts';
import { createPublisher, createQuery } from '../query/live-query.ts';
import { Message, type BasicIdentity } from './message.ts';
import { openUser, type Hooks, type Opened } from './open.ts';
import { createPresence } from './presence.ts';
import { createPush, relation, type Request } from './relations.ts';
import { Views } from './views.ts';

/**
 * Makes a client. It opens the user's records, logs in, connects, and stays in step with the platform until it is destroyed.
 *
 * @param options See `ClientOptions`; `url`, `appId` and `identityToken` are needed.
 * @returns At once; queries say `loading` until the records are open.
 * @example
 * const client = createClient({
 *   url: 'https://chat.example.com',
 *   appId: 'svc:///apps/production/01990000-0000-7000-8000-000000000001',
 *   identityToken: async (nonce) => (await fetch(`/login?nonce=${encodeURIComponent(nonce)}`)).text(),
 * });
 */
export function createClient(options: ClientOptions): Client {
  const publisher = createPublisher();
  const emitter = createEmitter();
  const ending = new AbortController();
  const waiting = createWaiting();
  const gate = createGate(options.fetch);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const host = createHost(publisher, ready);
  async function context(): Promise<Context> {
    await ready;
    if (!host.ctx || ending.signal.aborted) throw clientEnded();
    return host.ctx;
  }
  const diagnose = emitter.diagnose;
  const transfer = createTransfer({ fetch: gate.fetch, wait: waiting.wait, context, diagnose });
  const actions = createActions(host, context, transfer.attachments);
  host.actions = actions;
  const hooks = createHooks({ host, actions, emitter, waiting, gate, want, options, ended: ending.signal });
  const stopWatching = watchEnvironment({
    returned: waiting.wake,
    probe: (silentForMs) => host.ctx && probe(host.ctx, silentForMs),
  });
  let opened: Opened | undefined;
  // A failure rejects for callers who await it, and is reported as a diagnostic.
  ready.catch((error: unknown) => diagnose('not_opened', { reason: String(error) }));
  openUser(options, hooks).then((done) => {
    opened = done;
    host.ctx = done.ctx;
    host.views = new Views(done.ctx, actions);
    publisher.publish();
    resolve();
    done.reconsider();
  }, reject);
  function want(isWanted: boolean): void {
    gate.set(isWanted);
    waiting.wake();
    opened?.reconsider();
  }
  return assembleClient({
    host,
    transfer,
    actions,
    emitter,
    context,
    async end(forget) {
      transfer.stop();
      gate.set(false);
      ending.abort();
      waiting.wake();
      stopWatching();
      await ready.catch(() => undefined);
      await opened?.close(forget);
    },
    want(isWanted) {
      if (gate.isOpen() === isWanted) return;
      want(isWanted);
      if (opened) post(opened.ctx, { kind: 'wanted', isWanted });
    },
  });
}

type HookParts = {
  readonly host: Host;
  readonly actions: Actions;
  readonly emitter: Emitter;
  readonly waiting: Hooks['waiting'];
  readonly gate: Gate;
  readonly want: Hooks['want'];
  readonly options: ClientOptions;
  readonly ended: AbortSignal;
};

function createHooks(parts: HookParts): Hooks {
  const { host, actions, emitter, waiting, gate, want, options, ended } = parts;
  const { deliveryReceipts = { maxParticipants: 50 } } = options;
  const deliveries = deliveryReceipts ? createDeliveries(deliveryReceipts.maxParticipants) : undefined;
  const { publisher } = host;
  const publishSoon = batched(() => {
    if (host.ctx?.sync.state.name !== 'replaying') publisher.publish();
  });
  function connected(): void {
    host.connections++;
    publishSoon();
  }
  return {
    emit<K extends keyof ClientEvents>(name: K, event: ClientEvents[K]) {
      if (name === 'connection' && host.ctx?.sync.connection.status === 'online') {
        connected();
        deliveries?.live(host.ctx);
      }
      if (name === 'connection') publisher.publish();
      emitter.emit(name, event);
    },
    diagnose: emitter.diagnose,
    changed(writes, now) {
      host.views?.changed(writes);
      if (host.ctx) deliveries?.changed(host.ctx, writes);
      if (now) publisher.publish();
      else publishSoon();
    },
    arrived: (record) => emitter.emit('message', new Message(actions, { record })),
    sent: (record) => emitter.emit('sent', new Message(actions, { record })),
    ended,
    connected,
    isWanted: gate.isOpen,
    want,
    fetch: gate.fetch,
    probe: () => host.ctx && probe(host.ctx, 0),
    waiting,
  };
}

type ClientParts = {
  readonly host: Host;
  readonly transfer: Transfer;
  readonly actions: Actions;
  readonly emitter: Emitter;
  readonly context: () => Promise<Context>;
  readonly end: (forget: boolean) => Promise<void>;
  readonly want: (isConnected: boolean) => void;
};

function assembleClient(parts: ClientParts): Client {
  const { host, actions, emitter, context, end, want, transfer } = parts;
  const { publisher } = host;
  const request: Request = async <T>(...[method, path, more]: Parameters<Client['request']>) =>
    (await (await context()).session.send<T>({ method, path, ...more })).body;
  const push = createPush(context, request);
  return {
    ready: host.ready,
    get user() {
      return host.ctx && viewerOf(host.ctx).self;
    },
    connection: createQuery(publisher, { compute: () => host.ctx?.sync.connection ?? CONNECTING }),
    conversations: (query) => conversationsQuery(host, query ?? {}),
    conversation: (id) => createQuery(publisher, { compute: () => host.views?.conversation(id) }),
    messages: actions.messages,
    createConversation: (input) => createConversation(host, context, input),
    types: () => readTypes(host, request),
    unread: () => unreadQuery(host),
    announcements: ({ pageSize } = {}) => announcementsQuery(host, pageSize),
    markAnnouncementRead: (announcement) =>
      actions.act({ kind: 'announcementReceipt', announcement, type: 'read' }),
    deleteAnnouncement: (announcement) => actions.act({ kind: 'deleteAnnouncement', announcement }),
    presence: (userIds) => createPresence(host, userIds),
    setPresence: (status) => request('PUT', '/presence', { body: { status } }).then(() => undefined),
    identity: async (userId) => request<Identity>('GET', pathTo`/identities/${userId}`),
    findUsers: async (text, { limit = 20 } = {}) =>
      request<BasicIdentity[]>('GET', `/users?${new URLSearchParams({ q: text, page_size: String(limit) })}`),
    features: createQuery(publisher, {
      compute: () => (host.ctx && valueOf(host.ctx.records, FEATURES)) ?? NO_FEATURES,
      isSame: (one, other) => isEqual(one, other),
    }),
    following: relation(request, {
      list: '/following',
      one: '/following/users',
      isPaged: true,
    }),
    blocks: relation(request, { list: '/blocks', one: '/blocks', isPaged: false }),
    push,
    uploads: transfer.uploads,
    downloads: transfer.downloads,
    request,
    on: emitter.on,
    connect: () => want(true),
    disconnect: () => want(false),
    async logout() {
      const ctx = await context();
      const { session, diagnose } = ctx;
      // Even without a network the records are removed.
      await push
        .unregister()
        .then(() => session.logout())
        .catch((error: unknown) => diagnose('session_not_ended', { reason: String(error) }));
      post(ctx, { kind: 'loggedOut' });
      emitter.emit('loggedOut', undefined);
      await end(true);
    },
    destroy: () => end(false),
  };
}

async function readTypes(host: Host, request: Request): Promise<readonly ConversationType[]> {
  const types = await request<readonly ConversationType[]>('GET', '/types');
  host.types = types;
  host.publisher.publish();
  return types;
}

const NO_FEATURES: readonly string[] = [];
const CONNECTING = { status: 'connecting', error: undefined } as const;

function unreadQuery(host: Host) {
  return createQuery(host.publisher, {
    compute() {
      const unread = (host.views?.conversations() ?? []).filter(({ unreadCount }) => unreadCount > 0);
      return {
        messages: unread.reduce((sum, one) => sum + one.unreadCount, 0),
        conversations: unread.length,
      };
    },
    isSame: (one, other) => one.messages === other.messages && one.conversations === other.conversations,
  });
}

async function createConversation(
  host: Host,
  context: () => Promise<Context>,
  { participants, distinct = false, metadata = {}, type }: NewConversation,
) {
  const ctx = await context();
  const conversation = `${ctx.wire}:///conversations/${uuid7()}`;
  const operation = { kind: 'createConversation' as const, conversation, participants, distinct, metadata };
  await act(ctx, type === undefined ? operation : Object.assign(operation, { type }), conversation);
  const shown = host.views?.conversation(conversation);
  if (!shown) throw new ParleyError({ id: 'not_found' });
  return shown;
}
