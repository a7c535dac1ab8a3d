import { mayPass } from '../connection/http.ts';
import { viewerOf } from '../pending/optimistic-view.ts';
import type { Message } from '../records/records.ts';
import type { RecordWrite } from '../records/rows.ts';
import { applyPacket } from '../sync/read.ts';
import { createSerial, type Context } from '../sync/context.ts';
import { transact } from '../sync/transact.ts';

/** Reports to the platform which messages of its conversations this device has. */
export type Deliveries = {
  /** Records have changed. */
  changed(ctx: Context, writes: readonly RecordWrite[]): void;
  /** Called when the client is live, since it may have received messages before. */
  live(ctx: Context): void;
};

/** A message that is read within this time needs no delivery receipt. Milliseconds. */
const SOON_MS = 300;
/** Pause between two deliveries of a conversation. Milliseconds. */
const REST_MS = 2_000;

const METHOD = 'Conversation.mark_all_delivered';

/** `most`: conversations with more participants are left out. */
export function createDeliveries(most: number): Deliveries {
  /** The last message to report as delivered, by conversation. */
  const due = new Map<string, Message>();
  const resting = new Set<string>();
  const inTurn = createSerial();

  function note(ctx: Context, message: Message | null): void {
    if (!message || !isUndelivered(ctx, message)) return;
    const { id } = message.conversation;
    const { participants = [] } = ctx.records.conversations.get(id) ?? {};
    if (participants.length > most || !participants.some((one) => one.id === ctx.me)) return;
    if (message.position > (due.get(id)?.position ?? 0)) due.set(id, message);
    schedule(ctx, id);
  }
  function schedule(ctx: Context, id: string): void {
    if (resting.has(id) || !due.has(id) || ctx.sync.state.name !== 'live') return;
    resting.add(id);
    setTimeout(() => {
      const message = due.get(id);
      due.delete(id);
      inTurn(async () => message && deliver(ctx, message)).catch((error: unknown) => {
        ctx.diagnose('not_delivered', { reason: String(error) });
        // Retried after the pause, or on the next connection, unless it was refused for good, for example by a platform without the method.
        if (message && !due.has(id) && mayPass(error)) due.set(id, message);
      });
      setTimeout(() => {
        resting.delete(id);
        schedule(ctx, id);
      }, REST_MS - SOON_MS);
    }, SOON_MS);
  }
  return {
    changed(ctx, writes) {
      if (ctx.sync.state.epoch === undefined) return;
      for (const write of writes) {
        if (write.kind !== 'put') continue;
        if (write.table === 'messages') note(ctx, write.row.value);
        else if (write.table === 'conversations') note(ctx, write.row.value.last_message);
      }
    },
    live(ctx) {
      if (ctx.sync.state.name !== 'live') return;
      for (const { last_message: last } of ctx.records.conversations.values()) note(ctx, last);
      for (const id of due.keys()) schedule(ctx, id);
    },
  };
}

/** Whether the platform does not know yet that the user has received a message. */
function isUndelivered({ me }: Context, { sender, recipient_status: status }: Message): boolean {
  return sender?.id !== me && status[me] === 'sent';
}

/** Reports all messages of a conversation up to one as delivered, unless the user has read it meanwhile. */
async function deliver(ctx: Context, { conversation: { id }, position }: Message): Promise<void> {
  const { epoch, socket, name } = ctx.sync.state;
  const { last_message: last } = ctx.records.conversations.get(id) ?? {};
  const isRead = last && last.position >= position && last.sender?.id !== ctx.me && !isUndelivered(ctx, last);
  const isBeingRead = [...ctx.records.operations.values()].some(
    ({ action }) =>
      action.kind === 'markAllRead' && action.conversation === id && action.position >= position,
  );
  if (name !== 'live' || !ctx.records.conversations.has(id) || isRead || isBeingRead) return;
  await socket!.request(METHOD, { position }, id);
  // The packet of the operation goes only to the user's other sockets.
  const identity = viewerOf(ctx).self;
  const change = {
    method: METHOD,
    object: { type: 'Conversation', id },
    data: { position, identity },
  } as const;
  await transact(ctx, epoch, async (batch) => {
    await batch.prefetch([], [id]);
    const packet = { change, timestamp: '' };
    applyPacket(ctx, batch, packet);
    ctx.packetsDuringRequest.add([packet]);
  });
}
