import type { ParleyError } from '../errors.ts';
import { UPLOAD, type Action, type Operation } from '../records/operation.ts';
import type { Context } from '../sync/context.ts';
import { transact } from '../sync/transact.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { processPending } from './process.ts';
import { reportRefused } from './report.ts';

/** A completed upload, as a part refers to it. */
type Arrived = { readonly id: string; readonly content: { readonly id: string; readonly size: number } };

/** Makes a message refer to an uploaded file. Resolves with whether the message was waiting for it. */
export async function takeFile(ctx: Context, message: string, { id, content }: Arrived): Promise<boolean> {
  const isTaken = await transact(ctx, undefined, (batch) => {
    const sending = sendingOf(batch, message);
    if (!sending) return false;
    const parts = sending.action.parts.map((part) =>
      part.content?.id === UPLOAD + id ? { ...part, content } : part,
    );
    batch.putOperation({ ...sending.operation, action: { ...sending.action, parts } as Action });
    return true;
  });
  processPending(ctx);
  return isTaken;
}

/** Handles a file of a message that was permanently refused or lost: the message waits for the user. */
export function refuseFile(ctx: Context, message: string, error: ParleyError): Promise<void> {
  return transact(ctx, undefined, (batch) => {
    const sending = sendingOf(batch, message);
    if (sending) reportRefused(ctx, batch, sending.operation, error);
  });
}

type Sending = { readonly operation: Operation; readonly action: Extract<Action, { kind: 'send' }> };

function sendingOf(batch: WriteBatch, message: string): Sending | undefined {
  const operation = batch.operation(message);
  return operation?.action.kind === 'send' ? { operation, action: operation.action } : undefined;
}
