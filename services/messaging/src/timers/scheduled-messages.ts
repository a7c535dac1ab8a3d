import { every } from '@parley/kit/durable/work/every';
import type { Stopper } from '@parley/kit/runtime/process';
import { contextOfSends, type Context } from '../context.ts';
import { createScheduler, type Scheduler } from '../message/schedule/scheduler.ts';

/** Shorter than the shortest delay of a message, and than what a load looks ahead. */
const LOAD_EVERY_MS = 900;

/** Sends scheduled messages in every replica: if one is killed, the others send its messages. */
export function startScheduler(ctx: Context, stopper: Stopper): Scheduler {
  const { sendDb: db, log, clock } = ctx;
  const scheduler = createScheduler(contextOfSends(ctx));
  stopper.add('scheduled messages', () => scheduler.stop());
  const name = 'scheduled-messages';
  const job = every({
    db,
    log,
    clock,
    name,
    intervalMs: LOAD_EVERY_MS,
    exclusive: false,
    run: () => scheduler.load(),
  });
  stopper.add(`${name} loader`, () => job.stop());
  return scheduler;
}
