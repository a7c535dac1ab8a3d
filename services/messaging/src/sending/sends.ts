import { createBatcher, lanesOfMachine, type Batcher } from '@parley/kit/batch';
import { runApart } from '../apart.ts';
import type { Context } from '../context.ts';
import { laneOf } from '@parley/domain/lane';
import type { Outcome, Outgoing } from './outgoing.ts';
import { runSends } from './run.ts';

export type Sends = Batcher<Outgoing, Outcome>;

const MIB = 1_048_576;

/** Group commit of messages, whoever sends them: lanes by conversation, so that a slow one holds up only its lane. */
export function createSends(ctx: Context): Sends {
  return createBatcher<Outgoing, Outcome>({
    run: (items) => runApart(items, (batch) => runSends(ctx, batch)),
    maxItems: 256,
    maxBytes: MIB,
    sizeOf: ({ body }) => body.length,
    lanes: lanesOfMachine,
    laneOf: ({ draft }) => laneOf(draft.conversationId),
    maxQueued: 20_000,
  });
}
