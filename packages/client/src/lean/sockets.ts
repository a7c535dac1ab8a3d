import type { SocketLike, WebSocketConstructor } from '../connection/websocket.ts';
import type { Addresses } from './addresses.ts';
import { expandBody } from './expand.ts';
import type { LeanBody } from './lean-records.ts';

type Head = { readonly counter: number; readonly timestamp: string };
type LeanPacket = Head &
  (
    | { readonly type: 'hello'; readonly body: Hello }
    | { readonly type: 'response'; readonly body: Response }
    | { readonly type: 'change' | 'operation' | 'signal'; readonly body: LeanBody }
  );
type Packet = Head & { readonly type: string; readonly body: unknown };
type Hello = {
  readonly user: { readonly user_id: string };
  readonly templates?: Readonly<Record<string, string>>;
};
/** The data of a response is a list of changes, or contains no records. */
type Response = { readonly success: boolean; readonly data: { readonly changes?: readonly LeanBody[] } };

/**
 * Makes sockets that use about a third of the bytes if the platform supports lean packets, and ordinary packets if it does not.
 *
 * @param constructor The WebSocket of the runtime; needed where it has none of its own.
 * @returns What `createClient` takes as `WebSocket`.
 * @example const client = createClient({ url, appId, identityToken, WebSocket: leanSockets() });
 */
export function leanSockets(constructor: WebSocketConstructor = globalThis.WebSocket): WebSocketConstructor {
  return class implements SocketLike {
    onopen: SocketLike['onopen'] = null;
    onmessage: SocketLike['onmessage'] = null;
    onclose: SocketLike['onclose'] = null;
    onerror: SocketLike['onerror'] = null;
    readonly #socket: SocketLike;

    constructor(url: string, protocols: string[]) {
      const wire = protocols[0]?.split('-', 1)[0] ?? '';
      const socket = (this.#socket = new constructor(url, [`${wire}-4.0`, ...protocols]));
      const expand = createExpander(wire);
      socket.onopen = (event) => this.onopen?.(event);
      socket.onclose = (event) => this.onclose?.(event);
      socket.onerror = (event) => this.onerror?.(event);
      socket.onmessage = (event: { data: unknown }) => {
        for (const data of expand(String(event.data))) this.onmessage?.({ data } as never);
      };
    }

    send(data: string): void {
      this.#socket.send(data);
    }

    close(code?: number, reason?: string): void {
      this.#socket.close(code, reason);
    }
  };
}

/**
 * Expands the text of a packet to the texts of the equivalent packets of `svc-3.1`, and renumbers them. The templates in `hello` tell
 * whether packets are lean. Answers with records stay lean: the library requests none.
 */
function createExpander(wire: string): (text: string) => string[] {
  let addresses: Addresses | undefined;
  let added = 0;

  function packetsOf(packet: LeanPacket): Packet[] {
    if (packet.type === 'hello') {
      const { user, templates } = packet.body;
      addresses = templates && { wire, userId: user.user_id, templates };
    } else if (!addresses) return [packet];
    else if (packet.type === 'response') return [{ ...packet, body: expandResponse(addresses, packet.body) }];
    else if (LEAN_TYPES.includes(packet.type)) {
      const { body, unread } = expandBody(addresses, packet.body);
      const first = { ...packet, body };
      return unread === undefined ? [first] : [first, { ...packet, body: updateOf(body as Message, unread) }];
    }
    return [packet];
  }

  /** Keeps only the number of a packet of a later release, which this one cannot read. */
  function readable(packet: LeanPacket): Packet[] {
    try {
      return packetsOf(packet);
    } catch {
      return [{ ...packet, type: 'unknown', body: null }];
    }
  }

  return (text) => {
    let packet: LeanPacket;
    try {
      packet = JSON.parse(text);
    } catch {
      return [text];
    }
    const packets = readable(packet);
    const first = packet.counter + added;
    added += packets.length - 1;
    return packets.map((one, index) => JSON.stringify({ ...one, counter: first + index }));
  };
}

const LEAN_TYPES: readonly string[] = ['change', 'operation', 'signal'];

type Message = {
  readonly object: { readonly id: string };
  readonly data: { readonly conversation: { readonly id: string; readonly url: string } };
};

/** The update of a conversation that a new message implies. */
function updateOf({ object, data: { conversation } }: Message, unread: number): object {
  const data = [
    { operation: 'set', property: 'last_message', id: object.id },
    { operation: 'set', property: 'unread_message_count', value: unread },
  ];
  return { operation: 'update', object: { type: 'Conversation', ...conversation }, data };
}

function expandResponse(addresses: Addresses, body: Response): object {
  const { data, ...head } = body;
  if (!head.success || !Array.isArray(data.changes)) return body;
  const changes = data.changes.map((change: LeanBody) => expandBody(addresses, change).body);
  return { ...head, data: { ...data, changes } };
}
