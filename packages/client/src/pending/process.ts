import type { Conversation, Message } from '@parley/contract/gen/records';
import { isTransient } from '../connection/http.ts';
import { backoff } from '../connection/waiting.ts';
import { ParleyError, recordOfError } from '../errors.ts';
import type { Context } from '../sync/context.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { isGone, refetchMarked } from '../sync/refetch.ts';
import { post } from '../sync/post.ts';
import { transact } from '../sync/transact.ts';
import { StaleEpochError } from '../store/store.ts';
import { applyConfirmed } from './confirm.ts';
import { laneOf, waitsForFiles, type Action, type Operation } from '../records/operation.ts';
import { reportFailed, reportSent } from './report.ts';
import { requestOf } from './request.ts';

/** Lanes of a client that are being processed. */
const workingLanes = new WeakMap<Context, Set<string>>();

/** Performs the pending operations, if this client leads: each lane in order, the lanes concurrently. */
export function processPending(ctx: Context): void {
  const { epoch } = ctx.sync.state;
  if (epoch === undefined || !ctx.isWanted()) return;
  const working = workingLanes.get(ctx) ?? new Set<string>();
  workingLanes.set(ctx, working);
  for (const lane of new Set([...ctx.records.operations.values()].filter(isWaiting).map(laneOf))) {
    if (working.has(lane) || !headOf(ctx, lane)) continue;
    working.add(lane);
    void processLane(ctx, epoch, lane)
      .catch((error: unknown) => {
        if (!(error instanceof StaleEpochError)) ctx.diagnose('outbox_stopped', { reason: String(error) });
      })
      .finally(() => working.delete(lane));
  }
}

function isWaiting({ error, isDone }: Operation): boolean {
  return error === undefined && !isDone;
}

/** The next operation of a lane. While a message waits for its files, only receipts behind it are sent. */
function headOf(ctx: Context, lane: string): Operation | undefined {
  const waiting = [...ctx.records.operations.values()]
    .filter((operation) => isWaiting(operation) && laneOf(operation) === lane)
    .sort((one, other) => one.order - other.order);
  const blocked = waiting.findIndex(({ action }) => waitsForFiles(action));
  return blocked === 0 ? waiting.find(({ action }) => /receipt|markAllRead/.test(action.kind)) : waiting[0];
}

async function processLane(ctx: Context, epoch: number, lane: string): Promise<void> {
  for (let tries = 0; ctx.sync.state.epoch === epoch && ctx.isWanted() && !ctx.ended.aborted;) {
    const operation = headOf(ctx, lane);
    if (!operation) break;
    try {
      await perform(ctx, epoch, operation);
      tries = 0;
    } catch (error) {
      if (!(error instanceof ParleyError) || !isTransient(error)) throw error;
      ctx.diagnose('request_retried', { kind: operation.action.kind, error: error.id });
      tries++;
      const pause = Math.max(backoff(tries, ctx.retry), (error.retryAfter ?? 0) * 1000);
      await ctx.waiting.wait(pause, ctx.ended);
    }
  }
  // Operations may have moved to the lane of another conversation.
  queueMicrotask(() => processPending(ctx));
}

/** Throws transient errors; settles the operation otherwise. */
async function perform(ctx: Context, epoch: number, operation: Operation): Promise<void> {
  const reading = ctx.packetsDuringRequest.begin();
  let isAwaited = false;
  try {
    const result = await ask(ctx, operation);
    const confirm = async (batch: WriteBatch): Promise<void> => {
      // Its packet may have settled the operation, or the user may have discarded it.
      const present = batch.operation(operation.id);
      if (!present) return;
      await batch.prefetch(...neededBy(operation.action));
      batch.removeOperation(operation.id);
      applyConfirmed(ctx, batch, {
        operation: present,
        answer: result.answer,
        since: reading.since(),
      });
      isAwaited = batch.operation(operation.id)?.isDone ?? false;
      if (operation.action.kind === 'send') reportSent(ctx, batch, result.answer as Message);
      if (result.error) markConversationForRefetch(ctx, batch, operation.action, result.error);
    };
    if (result.isRefused) await settleRefused(ctx, epoch, operation, result.error);
    else await transact(ctx, epoch, confirm);
  } finally {
    reading.end();
  }
  if (isAwaited) void awaitPacket(ctx, epoch, operation.id);
  void refetchMarked(ctx, epoch);
}

/** How long a connected device waits for the packet of an operation. If nothing changed, there is none. Milliseconds. */
const PACKET_WITHIN_MS = 20_000;

async function awaitPacket(ctx: Context, epoch: number, id: string): Promise<void> {
  const end = AbortSignal.any([ctx.ended, AbortSignal.timeout(PACKET_WITHIN_MS)]);
  while (!end.aborted) await ctx.waiting.wait(PACKET_WITHIN_MS, end);
  // Otherwise the next connection brings it.
  if (ctx.sync.connection.status === 'online') await dropConfirmed(ctx, epoch, [id]);
}

/** Removes operations whose effect the records already show. */
export async function dropConfirmed(ctx: Context, epoch: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const drop = (batch: WriteBatch): void => {
    for (const id of ids) if (batch.operation(id)?.isDone) batch.removeOperation(id);
  };
  // Another tab leads and does this, or the client has ended.
  await transact(ctx, epoch, drop).catch(() => undefined);
}

/** The messages that an action changes, and the conversations of which it changes all messages. */
function neededBy(action: Action): [messages: string[], conversations: string[]] {
  const isWide = action.kind === 'markAllRead' || action.kind === 'deleteMessage';
  return ['message' in action ? [action.message] : [], isWide ? [action.conversation] : []];
}

type Result =
  /** `error`: the reason why nothing was left to do. */
  | { readonly isRefused?: false; readonly answer: unknown; readonly error?: ParleyError }
  | { readonly isRefused: true; readonly answer?: undefined; readonly error: ParleyError };

async function ask(ctx: Context, { action }: Operation): Promise<Result> {
  try {
    const request = requestOf(action, ctx.wire);
    return { answer: (await ctx.session.send({ ...request, signal: ctx.ended })).body };
  } catch (error) {
    if (!(error instanceof ParleyError) || isTransient(error) || error.id === 'other_user') throw error;
    const done = alreadyDone(ctx, action, error);
    return done ?? { isRefused: true, error };
  }
}

/** Whether a refusal means that an earlier attempt took effect, or that nothing is left to do. */
function alreadyDone({ me }: Context, action: Action, error: ParleyError): Result | undefined {
  if (error.id === 'id_in_use' && action.kind === 'send') {
    const there: Partial<Message> = Object(error.data);
    const isOwn = there.sender?.id === me && there.conversation?.id === action.conversation;
    return isOwn && there.id === action.message ? { answer: there } : undefined;
  }
  if (error.id === 'id_in_use' && action.kind === 'createConversation') {
    const there: Partial<Conversation> = Object(error.data);
    return there.id === action.conversation ? { answer: there } : undefined;
  }
  const isUndone = isGone(error) && error.status !== 403 && /delete|receipt|unreact/i.test(action.kind);
  return isUndone ? { answer: undefined, error } : undefined;
}

/** Marks a conversation to be read again when a refusal shows that the user has left it, or that it or one of its messages is gone. */
function markConversationForRefetch(
  { me }: Context,
  batch: WriteBatch,
  action: Action,
  error: ParleyError,
): void {
  if (!isGone(error) || !('conversation' in action)) return;
  const { participants = [] } = batch.conversation(action.conversation) ?? {};
  // For a conversation that the user has left, a refusal of access is nothing new.
  if (error.status !== 403 || participants.some(({ id }) => id === me))
    batch.markForRefetch(action.conversation);
}

/** Keeps a refused message for the user's decision; undoes operations that cannot be retried. */
function settleRefused(ctx: Context, epoch: number, refused: Operation, error: ParleyError): Promise<void> {
  const record = recordOfError(error);
  const failed: Operation[] = [];
  ctx.diagnose('refused', { kind: refused.action.kind, error: error.id });
  return transact(ctx, epoch, (batch) => {
    const isCreation = refused.action.kind === 'createConversation';
    const concerned = isCreation
      ? batch.operations().filter((one) => isWaiting(one) && laneOf(one) === laneOf(refused))
      : batch.operations().filter(({ id }) => id === refused.id);
    for (const operation of concerned) {
      failed.push(operation);
      const { kind } = operation.action;
      if (kind === 'send' || kind === 'createConversation')
        batch.putOperation({ ...operation, error: record });
      else batch.removeOperation(operation.id);
    }
    markConversationForRefetch(ctx, batch, refused.action, error);
  }).then(() => {
    for (const operation of failed) {
      post(ctx, { kind: 'failed', operation, error: record });
      reportFailed(ctx, operation, error);
    }
  });
}
