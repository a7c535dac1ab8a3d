import { applyChange, neededFor } from './apply/change.ts';
import type { Context } from './context.ts';
import { refetchMarked } from './refetch.ts';
import type { Packet } from '../records/records.ts';
import { transact } from './transact.ts';

/** Where the server time is kept from which on the next replay begins, less the overlap. */
export const CURSOR = 'cursor';

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
  let failure: Error | undefined;

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
        failure = error as Error;
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
      if (failure) throw failure;
    },
  };
}

function applyItems(ctx: Context, epoch: number, items: readonly Item[]): Promise<void> {
  const packets = items.map(({ packet }) => packet).filter((packet) => packet !== undefined);
  const cursor = items.findLast((item) => item.cursor !== undefined)?.cursor;
  return transact(
    ctx,
    async (batch) => {
      const needed = neededFor(packets.map(({ change }) => change));
      await batch.prefetch(needed.messages, needed.conversations);
      for (const packet of packets) {
        try {
          applyChange(batch, packet, ctx.me);
          ctx.packetsDuringRequest.add([packet]);
        } catch (error) {
          // A packet of a later release that this one cannot read.
          ctx.diagnose('packet_ignored', { reason: String(error) });
        }
      }
      if (cursor !== undefined && cursor > String(batch.value(CURSOR) ?? '')) batch.setValue(CURSOR, cursor);
    },
    { epoch },
  );
}
