import type { BasicIdentity } from '@parley/contract/gen/records';
import { realId } from '../pending/act.ts';
import { createQuery } from '../query/live-query.ts';
import type { Query } from '../query/query.ts';
import { isEqual, type Message } from '../records/records.ts';
import type { Host } from './host.ts';

/** How far a participant has read a conversation. */
export type Read = {
  readonly reader: BasicIdentity;
  /** URI of the newest message on this device that they have read or written. */
  readonly message: string;
  readonly position: number;
};

/** The other participants who have read messages of a conversation, as far as this device knows. */
export function readsQuery(host: Host, id: string): Query<readonly Read[]> {
  function compute(): Read[] {
    const { ctx, views } = host;
    if (!ctx || !views) return [];
    const real = realId(ctx, id);
    const list = ctx.records.lists.get(real);
    if (!list && ctx.records.conversations.has(real)) host.loadList(real);
    const { others = [] } = views.conversation(id) ?? {};
    return others.flatMap((reader) => {
      const last = list?.findLast((message) => hasRead(message, reader.id));
      return last ? { reader, message: last.id, position: last.position } : [];
    });
  }
  return createQuery(host.publisher, {
    compute,
    isSame: isEqual,
    used: (isUsed) => host.useList(id, isUsed),
  });
}

function hasRead({ recipient_status: status }: Message, reader: string): boolean {
  return status[reader] === 'read';
}
