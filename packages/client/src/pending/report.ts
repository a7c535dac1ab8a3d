import { recordOfError, type ParleyError } from '../errors.ts';
import type { Operation } from '../records/operation.ts';
import type { Message } from '../records/records.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import type { Context } from '../sync/context.ts';
import { post } from '../sync/post.ts';

/** Reports a sent message to the applications of all tabs, once the batch is written. */
export function reportSent(
  { coordinator, sent }: Pick<Context, 'coordinator' | 'sent'>,
  batch: WriteBatch,
  message: Message,
): void {
  batch.afterWrite.push(() => {
    post({ coordinator }, { kind: 'sent', message });
    sent(message);
  });
}

/** Keeps a refused operation for the user's decision, and reports it to the applications of all tabs once the batch is written. */
export function reportRefused(
  ctx: Pick<Context, 'coordinator' | 'emit'>,
  batch: WriteBatch,
  operation: Operation,
  cause: ParleyError,
): void {
  const error = recordOfError(cause);
  batch.putOperation({ ...operation, error });
  batch.afterWrite.push(() => {
    post(ctx, { kind: 'failed', operation, error });
    reportFailed(ctx, operation, cause);
  });
}

/** Tells the application about a refusal. */
export function reportFailed(
  { emit }: Pick<Context, 'emit'>,
  { action }: Operation,
  error: ParleyError,
): void {
  const conversation = 'conversation' in action ? action.conversation : undefined;
  const message = 'message' in action ? action.message : undefined;
  emit('failed', { operation: action.kind, conversation, message, error });
}
