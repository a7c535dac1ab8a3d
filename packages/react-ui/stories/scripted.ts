import { createClient, type Client, type SocketLike } from '@parley/client';
import { createReactions, type Reactions } from './reactions.ts';
import { ADA, CONVERSATION, GRACE, TIME } from './records.ts';
import { DEFAULT_TYPE } from './type.ts';

const APP = 'svc:///apps/staging/01990000-0000-7000-8000-000000000001';
const BASE_URL = 'https://chat.test';
const MINUTE_MS = 60_000;
const WORDS =
  'a message of some words which are as many as people write on a phone while they walk home'.split(' ');

export { CONVERSATION };

/** A client of a platform that is played in the page itself: it has one conversation with many messages. */
export type Scripted = {
  readonly client: Client;
  /** Another user's message arrives, which is unread. */
  receive(text: string): void;
  /** Steps of an `update` of the conversation arrive. */
  patch(...steps: readonly Step[]): void;
  /** Requests by HTTP so far: the method and the path. */
  readonly requests: readonly string[];
};

export type Step = {
  readonly operation: 'set' | 'delete';
  readonly property: string;
  readonly value?: unknown;
};

/** The platform that is played. */
type Script = {
  /** The text of the message at a position, from 1 on. */
  readonly textAt?: (position: number) => string;
  /** More keys of the conversation. */
  readonly conversation?: object;
  /** The reactions to the message at a position. */
  readonly reactionsAt?: (position: number) => Reactions;
};

export function scriptedClient(count: number, script: Script = {}): Scripted {
  const { textAt = textOf, conversation = {}, reactionsAt = () => ({}) } = script;
  const reactions = createReactions((uuid) => reactionsAt(positionOf(uuid)));
  const messageAt = (position: number, text = textAt(position)) => {
    const message = messageOf(position, text);
    return Object.assign(message, { reactions: reactions.of(uuidOf(message.id)) });
  };
  const requests: string[] = [];
  let newest = count;
  let socket: ScriptedSocket | undefined;
  function follow(opened: ScriptedSocket): void {
    socket = opened;
  }
  const client = createClient({
    url: BASE_URL,
    appId: APP,
    userId: 'ada',
    identityToken: () => Promise.resolve(`e30.${btoa('{"prn":"ada"}').replaceAll('=', '')}.e30`),
    WebSocket: class extends ScriptedSocket {
      constructor() {
        super();
        follow(this);
      }
    },
    fetch(input, { method } = {}) {
      const url = new URL(String(input));
      requests.push(`${method} ${url.pathname}`);
      const [, uuid = '', key = ''] = /^\/messages\/([^/]+)\/reactions(?:\/(.+))?$/.exec(url.pathname) ?? [];
      if (uuid === '') return Promise.resolve(answer(url, { newest, messageAt, conversation }));
      if (key === '') return Promise.resolve(Response.json(reactions.list(uuid)));
      const data = reactions.change(uuid, decodeURIComponent(key), method === 'PUT');
      socket?.hand('change', {
        operation: 'update',
        object: { type: 'Message', id: `svc:///messages/${uuid}` },
        data,
      });
      return Promise.resolve(new Response(null, { status: 204 }));
    },
  });
  return {
    client,
    requests,
    receive(text) {
      newest++;
      const data = Object.assign(messageAt(newest, text), { sender: GRACE, is_unread: true });
      socket?.hand('change', { operation: 'create', object: { type: 'Message', id: data.id }, data });
    },
    patch(...data) {
      socket?.hand('change', {
        operation: 'update',
        object: { type: 'Conversation', id: CONVERSATION },
        data,
      });
    },
  };
}

type History = {
  readonly newest: number;
  readonly messageAt: (position: number) => ReturnType<typeof messageOf>;
  readonly conversation: object;
};

/** Pages of the history, the newest message first. */
function answer(url: URL, { newest, messageAt, conversation }: History): Response {
  if (url.pathname === '/nonces') return Response.json({ nonce: 'n' });
  if (url.pathname === '/sessions') return Response.json({ session_token: 't' });
  if (url.pathname === '/conversations')
    return Response.json([Object.assign(conversationOf(newest, messageAt(newest)), conversation)]);
  if (url.pathname === '/types') return Response.json([DEFAULT_TYPE]);
  if (/\/(restrictions|blocks)$/.test(url.pathname)) return Response.json([]);
  if (!url.pathname.endsWith('/messages')) return new Response(null, { status: 204 });
  const size = Number(url.searchParams.get('page_size'));
  const from = url.searchParams.get('from_id');
  const first = from === null ? newest : positionOf(from) - 1;
  const positions = Array.from({ length: Math.min(size, Math.max(0, first)) }, (_, index) => first - index);
  return Response.json(positions.map((position) => messageAt(position)));
}

function conversationOf(newest: number, last: object) {
  return {
    ...{ id: CONVERSATION, url: '', messages_url: '', created_at: TIME, distinct: true, metadata: {} },
    ...{
      participants: [ADA, GRACE],
      unread_message_count: 0,
      total_message_count: newest,
      last_message: last,
    },
  };
}

function messageOf(position: number, text: string) {
  const id = `svc:///messages/01990000-0000-7000-8000-${position.toString(16).padStart(12, '0')}`;
  const isOwn = position % 3 === 0;
  const sent = new Date(Date.parse(TIME) + position * MINUTE_MS).toISOString();
  const part = { id: `${id}/parts/1`, url: '', message_url: '', mime_type: 'text/plain', body: text };
  return {
    ...{ id, url: '', receipts_url: '', position, sender: isOwn ? ADA : GRACE, sent_at: sent },
    ...{ received_at: sent, updated_at: null, is_unread: false, conversation: { id: CONVERSATION, url: '' } },
    parts: [{ ...part, encoding: null, content: null, updated_at: null }],
    recipient_status: { [ADA.id]: 'read', [GRACE.id]: 'read' },
  };
}

function uuidOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function positionOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16);
}

/** One line to six, so that heights differ. */
function textOf(position: number): string {
  const words = Array.from(
    { length: 1 + ((position * 7) % 61) },
    (_, index) => WORDS[(position + index) % WORDS.length],
  );
  return `${position} ${words.join(' ')}`;
}

class ScriptedSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  #counter = 0;

  constructor() {
    queueMicrotask(() => {
      this.onopen?.({} as never);
      this.hand('hello', { user: ADA, server_time: TIME, keep_alive_in_seconds: 3600, limits: {} });
    });
  }
  hand(type: string, body: unknown): void {
    const packet = { type, counter: this.#counter++, timestamp: TIME, body };
    this.onmessage?.({ data: JSON.stringify(packet) } as never);
  }
  send(data: string): void {
    const { type, body } = JSON.parse(data) as { type: string; body: { request_id: string } };
    if (type === 'request')
      this.hand('response', { request_id: body.request_id, success: true, data: { complete: true } });
  }
  close(): void {}
}
