import {
  createClient,
  type Client,
  type Query,
  type SocketLike,
  type Storage,
  type Write,
} from '@parley/client';

// All of it runs in a page, too.

export const APP_ID = 'svc:///apps/staging/01990000-0000-7000-8000-000000000001';

const HELLO = {
  user: { id: 'svc:///identities/ada', url: '', user_id: 'ada', display_name: 'Ada', avatar_url: null },
  session_expires_at: null,
  server_time: '2026-11-22T12:00:00.000Z',
  keep_alive_in_seconds: 30,
  limits: { replay_overlap_in_seconds: 20 },
};

/** Enough of a token to say whose it is. */
function identityToken(userId: string): string {
  return `e30.${btoa(JSON.stringify({ prn: userId })).replaceAll('=', '')}.e30`;
}

/** Resolves once a query shows what is waited for. */
export function until<T>(query: Query<T>, fits: (state: T) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!fits(query.getSnapshot())) return;
      stop();
      resolve();
    };
    const stop = query.subscribe(look);
    look();
  });
}

type Replaying = { readonly WebSocket: new () => SocketLike; readonly fetch: typeof fetch };

export function offlineClient({ WebSocket, fetch }: Replaying, storage: Storage): Client {
  return createClient({
    ...{ url: 'http://bench.invalid', appId: APP_ID, userId: 'ada', storage },
    identityToken: () => Promise.resolve(identityToken('ada')),
    ...{ WebSocket, fetch },
  });
}

/** Resolves once all messages of a replay are counted. */
export function untilCounted(device: Client, count: number): Promise<void> {
  const isCounted = (items: readonly { unreadCount: number }[]): boolean =>
    items.reduce((sum, one) => sum + one.unreadCount, 0) === count;
  return until(device.conversations(), ({ items }) => isCounted(items));
}

function uriOf(kind: string, number: number): string {
  return `svc:///${kind}/01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

function messageOf(number: number, conversation: number, position: number) {
  const id = uriOf('messages', number);
  const part = {
    id: `${id}/parts/1`,
    url: '',
    message_url: '',
    mime_type: 'text/plain',
    body: `Message ${number}`,
  };
  return {
    ...{
      id,
      url: '',
      receipts_url: '',
      position,
      conversation: { id: uriOf('conversations', conversation), url: '' },
    },
    parts: [{ ...part, encoding: null, content: null, updated_at: null }],
    sent_at: new Date(Date.UTC(2026, 10, 1) + number).toISOString(),
    received_at: null,
    sender: {
      id: 'svc:///identities/grace',
      url: '',
      user_id: 'grace',
      display_name: 'Grace',
      avatar_url: null,
    },
    is_unread: true,
    recipient_status: { 'svc:///identities/ada': 'sent', 'svc:///identities/grace': 'read' },
    updated_at: null,
  };
}

/** A store as a device leaves it: so many messages, spread evenly over the conversations. */
export async function fillStore(
  storage: Storage,
  { appId, conversations, messages }: { appId: string; conversations: number; messages: number },
): Promise<void> {
  const app = appId.slice(appId.lastIndexOf('/') + 1);
  const store = await storage.open(`parley/${app}/ada`);
  const each = messages / conversations;
  const writes: Write[] = [valueOf('cursor', '2026-11-22T11:59:00.000Z'), valueOf('session', 'token')];
  for (let conversation = 0; conversation < conversations; conversation++) {
    const own = Array.from({ length: each }, (_, index) =>
      messageOf(conversation * each + index, conversation, index + 1),
    );
    const id = uriOf('conversations', conversation);
    for (const one of own)
      writes.push(put('messages', { key: one.id, group: id, order: one.position, value: one }));
    const last = own.at(-1) ?? null;
    const value = {
      ...{
        id,
        url: '',
        messages_url: '',
        created_at: '2026-11-01T00:00:00.000Z',
        participants: [HELLO.user],
      },
      ...{ distinct: false, metadata: {}, last_message: last, last_message_id: last?.id ?? null },
      ...{ unread_message_count: 0, total_message_count: each, counted_to: each },
      active_at: last?.sent_at ?? '2026-11-01T00:00:00.000Z',
      active_id: last?.id ?? null,
      window: { from: 1, start: true, stale: false },
    };
    writes.push(put('conversations', { key: id, group: '', order: 0, value }));
  }
  await store.write(writes);
  await store.close();
}

function put(
  table: 'messages' | 'conversations' | 'values',
  row: Extract<Write, { kind: 'put' }>['row'],
): Write {
  return { kind: 'put', table, row };
}

function valueOf(key: string, value: string): Write {
  return put('values', { key, group: '', order: 0, value });
}

/** A platform in this process: its replay hands over so many messages, and its lists are empty. */
export function platformOf(count: number, conversations: number) {
  const texts = Array.from({ length: count }, (_, index) => packetOf(index, conversations));
  class Replaying implements SocketLike {
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onclose: (() => void) | null = null;
    onerror: (() => void) | null = null;

    constructor() {
      setTimeout(() => {
        this.onopen?.();
        this.#hand({ type: 'hello', counter: 0, timestamp: HELLO.server_time, body: HELLO });
      });
    }

    send(text: string): void {
      const { request_id, method } = (JSON.parse(text) as { body: { request_id: string; method: string } })
        .body;
      if (method !== 'Event.replay') return;
      for (const data of texts) this.onmessage?.({ data });
      const body = { request_id, method, success: true, data: { complete: true } };
      this.#hand({ type: 'response', counter: count + 1, timestamp: HELLO.server_time, body });
    }

    close(): void {
      this.onclose = null;
    }

    #hand(packet: object): void {
      this.onmessage?.({ data: JSON.stringify(packet) });
    }
  }
  const answer = (): Promise<Response> => Promise.resolve(new Response('[]', { status: 200 }));
  return { WebSocket: Replaying, fetch: answer };
}

function packetOf(index: number, conversations: number): string {
  const data = messageOf(index, index % conversations, Math.floor(index / conversations) + 1);
  const body = { operation: 'create', object: { type: 'Message', id: data.id, url: '' }, data };
  return JSON.stringify({ type: 'change', counter: index + 1, timestamp: HELLO.server_time, body });
}
