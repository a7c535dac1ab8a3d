import type { SyncListener } from '../sync/context.ts';
import { creates, type Message } from '../records/records.ts';
import { laneOf } from '../records/operation.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { confirmByPacket } from './confirmed-by-packet.ts';
import { dropConfirmed, processPending } from './process.ts';
import { reportSent } from './report.ts';

/** Makes the pending operations follow the sync. */
export const pendingListener: SyncListener = {
  started: processPending,
  connected(ctx) {
    // The replay contains the packets of operations performed before the connection.
    const done = [...ctx.records.operations.values()].filter(({ isDone }) => isDone).map(({ id }) => id);
    return (epoch) => {
      void dropConfirmed(ctx, epoch, done);
      processPending(ctx);
    };
  },
  applied(ctx, batch, change) {
    const { id } = change.object;
    if (creates(change, 'Message')) settle(ctx, batch, id, change.data);
    else if (creates(change, 'Conversation')) settle(ctx, batch, id);
    confirmByPacket(batch, change, ctx.me);
  },
};

type Reporting = Parameters<SyncListener['applied']>[0];

/** The platform already has the object that an operation creates, so nothing is left to do. */
function settle(ctx: Reporting, batch: WriteBatch, id: string, message?: Message): void {
  const operation = batch.operation(id);
  const kind = operation?.action.kind;
  if (!operation || (kind !== 'send' && kind !== 'createConversation')) return;
  if (message && laneOf(operation) !== message.conversation.id) return;
  batch.removeOperation(id);
  if (message && kind === 'send') reportSent(ctx, batch, message);
}
