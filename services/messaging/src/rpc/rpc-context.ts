import type { CellAdministration } from '../cells/administration.ts';
import type { Context } from '../context.ts';
import type { Scheduler } from '../message/schedule/scheduler.ts';
import type { SendBatcher } from '../message/send/batcher.ts';
import type { ReactionBatcher } from '../reaction/batcher.ts';
import type { ReceiptBatcher } from '../read-state/record/batcher.ts';

/** Batchers that store messages, receipts and reactions, on connections of its own. */
export type Sending = {
  ctx: Context;
  sends: SendBatcher;
  receipts: ReceiptBatcher;
  reactions: ReactionBatcher;
};

export type RpcContext = Context & { schedules: Scheduler; sending: Sending };

/** And the cells that operators see and change. */
export type AdministrationContext = RpcContext & { administration: CellAdministration };
