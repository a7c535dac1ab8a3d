import type { Packet } from '../records/records.ts';
import { CURSOR } from '../records/rows.ts';
import type { Context } from './context.ts';
import { applyPacket, prefetch } from './read.ts';
import { refetchMarked } from './refetch.ts';
import { transact } from './transact.ts';

/** Applies the packets of one connection in order, many in a transaction. */
export type Applier = {
  /** `cursor`: the time from which on nothing is missing once this packet is applied. */
  add(packet: Packet | undefined, cursor: string | undefined): void;
  /** Resolves when all that was added is applied; rejects when it cannot be. */
  idle(): Promise<void>;
};

const BATCH = 2_000;

type Item = { packet: Packet | undefined; cursor: string | undefined };

/** `failed` is called when packets cannot be applied: the connection is of no use any more. */
export function createApplier(ctx: Context, epoch: number, failed: (error: unknown) => void): Applier {
  let queue: Item[] = [];
  let working: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function work(): Promise<void> {
    // What arrives in the same turn is applied together.
    await Promise.resolve();
    while (queue.length > 0 && !failure) {
      const items = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      await applyItems(ctx, epoch, items);
      void refetchMarked(ctx, epoch);
    }
  }
  function start(): Promise<void> {
    return work()
      .catch((error: unknown) => {
        failure = { error };
        failed(error);
      })
      .finally(() => (working = undefined));
  }
  return {
    add(packet, cursor) {
      queue.push({ packet, cursor });
      working ??= start();
    },
    async idle() {
      while (working) await working;
      if (failure) throw failure.error;
    },
  };
}

function applyItems(ctx: Context, epoch: number, items: readonly Item[]): Promise<void> {
  const packets = items.map(({ packet }) => packet).filter((packet) => packet !== undefined);
  const cursor = items.findLast((item) => item.cursor !== undefined)?.cursor;
  return transact(ctx, epoch, async (batch) => {
    await prefetch(batch, packets);
    for (const packet of packets) {
      try {
        applyPacket(ctx, batch, packet);
        ctx.packetsDuringRequest.add([packet]);
      } catch (error) {
        // A packet of a later release that this one cannot read.
        ctx.diagnose('packet_ignored', { reason: String(error) });
      }
    }
    if (cursor !== undefined && cursor > (batch.value(CURSOR) ?? '')) batch.setValue(CURSOR, cursor);
  });
}
