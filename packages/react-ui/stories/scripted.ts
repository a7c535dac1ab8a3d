import { createClient, type Client, type ConversationType, type SocketLike } from '@parley/client';
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
  /** The conversation has other keys from now on, of which no packet tells. */
  change(keys: object): void;
  /** Requests of which the method and the path contain one of these texts are refused from now on. */
  refuse(...parts: readonly string[]): void;
  /** The connection ends; the client opens another one. */
  disconnect(): void;
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
  /** The types of conversations; by default the type `default`. */
  readonly types?: readonly ConversationType[];
  /** The restrictions in the conversation. */
  readonly restrictions?: readonly object[];
  /** How far the platform's clock is ahead of the device's, in milliseconds. */
  readonly aheadMs?: number;
};

export function scriptedClient(count: number, script: Script = {}): Scripted {
  const state: State = {
    script,
    newest: count,
    conversation: script.conversation ?? {},
    refused: [],
    requests: [],
    reactions: createReactions((uuid) => script.reactionsAt?.(positionOf(uuid)) ?? {}),
  };
  let socket: ScriptedSocket | undefined;
  function follow(opened: ScriptedSocket): void {
    socket = opened;
  }
  const tell: Tell = (operation, [type, id], data) =>
    socket?.hand('change', { operation, object: { type, id }, data });
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
    fetch: (input, init) => Promise.resolve(respond(state, new URL(String(input)), init, tell)),
  });
  return {
    client,
    requests: state.requests,
    receive(text) {
      state.newest++;
      const data = Object.assign(messageAt(state, state.newest, text), { sender: GRACE, is_unread: true });
      tell('create', ['Message', data.id], data);
    },
    patch: (...data) => tell('update', ['Conversation', CONVERSATION], data),
    change(keys) {
      state.conversation = Object.assign({}, state.conversation, keys);
    },
    refuse(...parts) {
      state.refused = parts;
    },
    disconnect: () => socket?.onclose?.({ code: 1006, reason: '' } as never),
  };
}

/** The records of the platform, and the requests that it got. */
type State = {
  readonly script: Script;
  /** Position of the newest message. */
  newest: number;
  conversation: object;
  refused: readonly string[];
  readonly requests: string[];
  readonly reactions: ReturnType<typeof createReactions>;
};

/** Sends a packet of a change. */
type Tell = (
  operation: 'create' | 'update',
  object: [type: 'Message' | 'Conversation', id: string],
  data: unknown,
) => void;

function respond(state: State, url: URL, { method, body }: RequestInit = {}, tell: Tell): Response {
  const { reactions, requests, refused } = state;
  const request = `${method} ${url.pathname}`;
  requests.push(request);
  if (refused.some((part) => request.includes(part))) return refusal();
  if (/^POST .*\/messages$/.test(request)) return Response.json(store(state, String(body)));
  const [, uuid = '', key = ''] = /^\/messages\/([^/]+)\/reactions(?:\/(.+))?$/.exec(url.pathname) ?? [];
  if (uuid === '') return read(state, request, url);
  if (key === '') return Response.json(reactions.list(uuid));
  const data = reactions.change(uuid, decodeURIComponent(key), method === 'PUT');
  tell('update', ['Message', `svc:///messages/${uuid}`], data);
  return new Response(null, { status: 204 });
}

function refusal(): Response {
  return Response.json({ id: 'access_denied', message: 'The platform refuses it.' }, { status: 403 });
}

/** Stores the message of a request. */
function store(state: State, request: string) {
  const { id, parts } = JSON.parse(request) as { id: string; parts: { body: string }[] };
  const sentAt = new Date(Date.now() + (state.script.aheadMs ?? 0)).toISOString();
  state.newest++;
  const message = messageOf(state.newest, parts[0]?.body ?? '');
  return Object.assign(message, { id, sender: ADA, sent_at: sentAt });
}

function messageAt({ script, reactions }: State, position: number, text?: string) {
  const { textAt = textOf } = script;
  const message = messageOf(position, text ?? textAt(position));
  return Object.assign(message, { reactions: reactions.of(uuidOf(message.id)) });
}

/** The records of the user; of messages pages, the newest one first. */
function read(state: State, request: string, url: URL): Response {
  const { newest, script } = state;
  const conversation = () =>
    Object.assign(conversationOf(newest, messageAt(state, newest)), state.conversation);
  if (url.pathname === '/nonces') return Response.json({ nonce: 'n' });
  if (url.pathname === '/sessions') return Response.json({ session_token: 't' });
  if (url.pathname === '/conversations') return Response.json([conversation()]);
  if (/^GET \/conversations\/[^/]+$/.test(request)) return Response.json(conversation());
  if (url.pathname === '/types') return Response.json(script.types ?? [DEFAULT_TYPE]);
  if (url.pathname.endsWith('/restrictions')) return Response.json(script.restrictions ?? []);
  if (url.pathname === '/blocks') return Response.json([]);
  if (!url.pathname.endsWith('/messages')) return new Response(null, { status: 204 });
  const size = Number(url.searchParams.get('page_size'));
  const from = url.searchParams.get('from_id');
  const first = from === null ? newest : positionOf(from) - 1;
  const positions = Array.from({ length: Math.min(size, Math.max(0, first)) }, (_, index) => first - index);
  return Response.json(positions.map((position) => messageAt(state, position)));
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
