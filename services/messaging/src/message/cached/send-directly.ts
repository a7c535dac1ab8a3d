import type { RunDirectly } from '@parley/kit/flow/batch';
import { isLockTimeout, isUnknownOutcome, type DirectWriter, type Query } from '@parley/kit/postgres';
import type { Context } from '../../context.ts';
import { createEmission, type Emission } from '../../log/append.ts';
import type { Progress } from '../../read-state/progress.ts';
import { storeLoneSend, type LoneSend } from '../../sql/message/lone-send.ts';
import { changeRow } from '../../sql/log/change.ts';
import { withReferences } from '../../log/references.ts';
import { writeIf } from '../../sql/statement.ts';
import type { OutgoingMessage, SendOutcome } from '../send/outgoing.ts';
import type { SendPlan } from '../send/plan.ts';
import {
  cachedWrite,
  isOverTime,
  noteStored,
  planFromCache,
  selectCached,
  type CachedBatch,
} from './store-from-cache.ts';
import { dropAll } from './update-cache.ts';

type Planned = { batch: CachedBatch; plan: SendPlan; emission: Emission };

/** A larger event is not copied into the answer. Bytes. */
const MAX_EVENT_BYTES = 4_096;

/** A batch that is planned, and on its way to the database. */
type Attempt = Planned & { statements: Query[] };

/**
 * Stores batches from the cache as `storeFromCache` does, by a connection that nothing else uses, and without a promise on the way. What is
 * unusual is left to the other ways: a batch with a message that is not cached or is refused, a stale cache, a failure. A batch whose outcome is
 * unknown is too: its request ids show what was stored. `tried` gets the items that need not be tried from the cache again.
 */
export function createDirectSends<I extends OutgoingMessage>(
  ctx: Context,
  writer: DirectWriter,
  tried: WeakSet<I>,
): RunDirectly<I, SendOutcome> {
  return (items, settle) => {
    const attempt = writer.isFree() ? plan(ctx, items) : undefined;
    if (!attempt) return false;
    const { emission, statements } = attempt;
    const isTaken = writer.write(statements, (error, holds) => {
      const isStored = error === undefined && holds === 't';
      if (!error) ctx.conversationCache.noteAttempt(isStored);
      if (isStored) return settle(finish(ctx, attempt));
      if (isUnknownOutcome(error)) doubt(ctx, attempt);
      else emission.drop();
      if (error && (isLockTimeout(error) || isOverTime(error))) return settle(items.map(() => error));
      for (const item of items) tried.add(item);
      settle(undefined);
    });
    if (!isTaken) emission.drop();
    return isTaken;
  };
}

/** Undefined: the batch cannot be stored this way. */
function plan(ctx: Context, items: readonly OutgoingMessage[]): Attempt | undefined {
  const { batch } = selectCached(ctx, items);
  if (batch.items.length !== items.length || !ctx.conversationCache.isTrusted()) return undefined;
  let emission: Emission | undefined;
  try {
    const planned = planFromCache(ctx, batch);
    if (planned.messages.length !== items.length) return undefined;
    emission = createEmission(ctx, planned.changes);
    const attempt = { batch, plan: planned, emission };
    return { ...attempt, statements: statementsOf(attempt) };
  } catch {
    // The other way meets the same fault, and says it.
    emission?.drop();
    return undefined;
  }
}

function statementsOf({ batch, plan: planned, emission }: Planned): Query[] {
  const lone = loneSendOf({ batch, plan: planned, emission });
  if (lone) return [storeLoneSend(lone)];
  const { lock, condition, writes } = cachedWrite(batch, { plan: planned, emission });
  return [lock, writeIf(condition, writes)];
}

/** Undefined: there are several messages, or more is written than for the usual one. */
function loneSendOf({ batch, plan: planned, emission }: Planned): LoneSend | undefined {
  const [message, second] = planned.messages;
  const [after] = planned.conversations;
  const [progress] = planned.progresses.values();
  const [change] = planned.changes;
  const [cached] = batch.conversations.values();
  const state = batch.states[0];
  if (second || !message || !after || !progress || !change || !cached || !state) return undefined;
  const [outboxRow, another] = emission.outboxRows;
  if (another || !isRowAlone(progress) || change.event.onlyUserIds.length > 0) return undefined;
  const send = { ...state, id: message.id };
  const event = changeRow(withReferences(change.event));
  return { before: cached.row, after, send, message, sender: progress.row, change: event, outboxRow };
}

/** The progress changes the participant's row and no bitmap. */
function isRowAlone({ changed, changedBitmaps, droppedBitmaps }: Progress): boolean {
  return changed && changedBitmaps.size === 0 && droppedBitmaps.size === 0;
}

/** The messages are stored, whatever fails from now on. */
function finish(ctx: Context, { batch, plan: planned, emission }: Planned): SendOutcome[] {
  try {
    noteStored(ctx, batch, { plan: planned, emission });
  } catch (error) {
    ctx.log.error({ error }, 'what follows a stored batch of messages failed');
    doubt(ctx, { batch, plan: planned, emission });
  }
  return planned.outcomes.length === 1 ? [withEvent(planned.outcomes[0]!, emission)] : planned.outcomes;
}

/** The answer to a small message that is stored alone has its event, for which its gateway then need not wait. */
function withEvent(outcome: SendOutcome, emission: Emission): SendOutcome {
  const event = emission.onlyBatch();
  if (outcome.kind !== 'sent' || !event || event.length > MAX_EVENT_BYTES) return outcome;
  return Object.assign({}, outcome, { event });
}

function doubt(ctx: Context, { plan: planned, emission }: Planned): void {
  emission.doubt();
  dropAll(ctx.conversationCache, planned.conversations);
}
