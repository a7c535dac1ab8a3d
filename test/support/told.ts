import type { Json } from './json.ts';
import type { Packet } from './socket.ts';

/** State that a client was told last. Ids of objects are UUIDs, those of users are theirs. */
export type Told = {
  /** Statuses by message and user, `<message> <user>`. */
  statuses: ReadonlyMap<string, string>;
  /** Positions up to which a user marked all as read, by conversation and user. */
  allRead: ReadonlyMap<string, number>;
  /** The client's own unread counts, by conversation. */
  unread: ReadonlyMap<string, number>;
  /** Messages that are gone. */
  deleted: ReadonlySet<string>;
};

/** `take` gets each packet once, in their order. */
export function createTold(): Told & { take(packet: Packet): void } {
  const statuses = new Map<string, string>();
  const allRead = new Map<string, number>();
  const unread = new Map<string, number>();
  const deleted = new Set<string>();

  function takeUpdate(type: string, id: string, steps: readonly Json[]): void {
    for (const { property, value } of steps) {
      const name = String(property);
      const isStatus = type === 'Message' && name.startsWith('recipient_status.');
      if (isStatus) statuses.set(`${id} ${userOf(name.slice('recipient_status.'.length))}`, value);
      if (type === 'Conversation' && name === 'unread_message_count') unread.set(id, value);
    }
  }

  function takeRecord(type: string, id: string, record: Json): void {
    if (type === 'Conversation') unread.set(id, record.unread_message_count);
    if (type !== 'Message') return;
    for (const [user, status] of Object.entries(record.recipient_status as Record<string, string>))
      statuses.set(`${id} ${userOf(user)}`, status);
  }

  return {
    ...{ statuses, allRead, unread, deleted },
    take({ type, body }) {
      if (type === 'operation' && body.method === 'Conversation.mark_all_read')
        allRead.set(`${idOf(body.object.id)} ${body.data.identity.user_id}`, body.data.position);
      if (type !== 'change') return;
      const { operation, object, data } = body;
      const id = idOf(object.id);
      if (operation === 'update') takeUpdate(object.type, id, data);
      if (operation === 'create') takeRecord(object.type, id, data);
      if (operation === 'delete' && object.type === 'Message') deleted.add(id);
    },
  };
}

function idOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** User id in an identity's id, in which dots may be escaped. */
function userOf(uri: string): string {
  return decodeURIComponent(idOf(uri.replaceAll('\\.', '.')));
}
