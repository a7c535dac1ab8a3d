import type { Json } from '../../../support/json.ts';
import { uuidOf, type TestUser } from '../../../support/app.ts';
import type { Packet, Subprotocol, TestSocket } from '../../../support/socket.ts';

type Step = { operation: string; property: string; id?: string; value?: unknown };
type SeenReaction = { count?: number; own?: boolean };
type SeenMessage = {
  position: number;
  sender: string;
  statuses: Record<string, string>;
  reactions: Map<string, SeenReaction>;
};
export type SeenConversation = {
  listed: boolean;
  participants: Set<string>;
  roles: Map<string, string>;
  isFrozen: boolean;
  metadata: Record<string, unknown>;
  unread: number;
  lastMessage: string | null;
  messages: Map<string, SeenMessage>;
};

/** A client that knows only the packets of its socket, and replays missed ones after it reconnects. */
export type Device = {
  readonly seen: ReadonlyMap<string, SeenConversation>;
  readonly isConnected: boolean;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** All packets that have arrived. */
  close(): Promise<void>;
  /** Resolves when all earlier events have arrived. */
  settle(): Promise<void>;
};

export function createDevice(user: TestUser, subprotocol: Subprotocol): Device {
  const seen = new Map<string, SeenConversation>();
  let socket: TestSocket | undefined;
  let applied = 0;
  // Before its first packet it replays from its creation.
  let heardAt = new Date(Date.now() - 5_000).toISOString();

  const apply = (): void => {
    for (const packet of socket?.packets.slice(applied) ?? []) {
      if (packet.type === 'change') applyChange(seen, user, packet.body);
      if (packet.type === 'operation') applyOperation(seen, packet.body);
      heardAt = packet.timestamp;
    }
    applied = socket?.packets.length ?? 0;
  };

  const close = async (): Promise<void> => {
    const open = socket;
    socket = undefined;
    await open?.close();
  };

  return {
    seen,
    get isConnected() {
      return socket !== undefined;
    },
    async connect() {
      socket = await user.connect({ subprotocol });
      applied = 0;
      const { success, data } = await socket.request('Event.replay', { data: { from_timestamp: heardAt } });
      if (!success || data.complete !== true) throw new Error(`no replay: ${JSON.stringify(data)}`);
      apply();
    },
    async disconnect() {
      apply();
      await close();
    },
    close,
    async settle() {
      const { body } = await user.call('POST', '/conversations', 201, { body: { participants: [] } });
      await socket?.waitFor('a later change', isAbout(body.id, 'create'));
      await user.call('DELETE', `/conversations/${uuidOf(body.id)}?mode=all_participants`, 204);
      await socket?.waitFor('its end', isAbout(body.id, 'delete'));
      apply();
    },
  };
}

function isAbout(id: string, operation: string) {
  return ({ type, body }: Packet): boolean =>
    type === 'change' && body.object.id === id && body.operation === operation;
}

function applyChange(
  seen: Map<string, SeenConversation>,
  user: TestUser,
  { operation, object, data }: Packet['body'],
): void {
  if (object.type === 'Conversation') {
    if (operation === 'create') seen.set(object.id, conversationOf(data, seen.get(object.id)));
    const known = seen.get(object.id);
    // A client may receive the end of a conversation without its beginning.
    if (!known && operation === 'delete') return;
    if (!known) throw new Error(`an update of an unknown conversation: ${object.id}`);
    if (operation === 'delete') remove(known, data);
    if (operation === 'update') for (const step of data as Step[]) patch(known, user, step);
  }
  if (object.type === 'Message') {
    if (operation === 'create') addMessage(seen, object.id, data);
    for (const { messages } of seen.values()) {
      if (operation === 'delete') messages.delete(object.id);
      const message = messages.get(object.id);
      if (operation !== 'update' || !message) continue;
      for (const step of data as Step[]) {
        setStatus(message, step);
        setReaction(message, step);
      }
    }
  }
}

function conversationOf(data: Json, before: SeenConversation | undefined): SeenConversation {
  return {
    listed: true,
    participants: new Set(data.participants.map(({ id }: { id: string }) => id)),
    roles: new Map(Object.entries((data.roles ?? {}) as Record<string, string>)),
    isFrozen: data.frozen !== undefined,
    metadata: data.metadata,
    unread: data.unread_message_count,
    lastMessage: data.last_message?.id ?? null,
    messages: before?.messages ?? new Map(),
  };
}

function remove(known: SeenConversation, { from_position }: { from_position: number | null }): void {
  known.listed = false;
  for (const [id, { position }] of known.messages) {
    if (position <= (from_position ?? Infinity)) known.messages.delete(id);
  }
}

function addMessage(seen: Map<string, SeenConversation>, id: string, data: Json): void {
  const known = seen.get(data.conversation.id);
  if (!known) throw new Error(`a message of an unknown conversation: ${id}`);
  known.listed = true;
  const statuses = { ...data.recipient_status };
  const reactions = new Map(
    Object.entries((data.reactions ?? {}) as Record<string, SeenReaction>).map(([key, { count, own }]) => [
      key,
      { ...(count && { count }), ...(own && { own }) },
    ]),
  );
  known.messages.set(id, { position: data.position, sender: data.sender.id, statuses, reactions });
}

function patch(known: SeenConversation, user: TestUser, { operation, property, id, value }: Step): void {
  if (property === 'unread_message_count') known.unread = Number(value);
  if (property === 'last_message') known.lastMessage = id ?? null;
  if (property.startsWith('metadata.')) known.metadata[property.slice('metadata.'.length)] = value;
  if (property === 'frozen') known.isFrozen = operation === 'set';
  if (property.startsWith('roles.')) setRole(known, { operation, property, value });
  if (property !== 'participants' || id === undefined) return;
  // Leaving ends a role.
  if (operation === 'remove') known.roles.delete(id);
  if (operation === 'add') known.participants.add(id);
  else if (id === user.uri) known.participants.clear();
  else known.participants.delete(id);
}

function setRole({ roles }: SeenConversation, { operation, property, value }: Step): void {
  const id = property.slice('roles.'.length).replaceAll('\\.', '.');
  if (operation === 'set') roles.set(id, String(value));
  else roles.delete(id);
}

function setStatus({ statuses }: SeenMessage, { property, value }: Step): void {
  const id = property.slice('recipient_status.'.length).replaceAll('\\.', '.');
  if (property.startsWith('recipient_status.')) statuses[id] = String(value);
}

function setReaction({ reactions }: SeenMessage, { operation, property, value }: Step): void {
  const [root, key = '', name] = property.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'));
  if (root !== 'reactions' || name === 'recent') return;
  if (name === undefined) return void reactions.delete(key);
  const known = { ...reactions.get(key) };
  if (name === 'count') known.count = Number(value);
  else if (operation === 'set') known.own = true;
  else delete known.own;
  reactions.set(key, known);
}

function applyOperation(seen: Map<string, SeenConversation>, { method, object, data }: Packet['body']): void {
  const { position: until, identity } = data;
  for (const { position, statuses } of seen.get(object.id)?.messages.values() ?? []) {
    const before = position <= until ? statuses[identity.id] : undefined;
    if (method === 'Conversation.mark_all_read' && before) statuses[identity.id] = 'read';
    if (method === 'Conversation.mark_all_delivered' && before === 'sent')
      statuses[identity.id] = 'delivered';
  }
}
