import { Code, ConnectError } from '@connectrpc/connect';
import { ContendedError } from './entry.ts';

/** The outcome of an item of a batch, for its span. `error`: the id of the problem, or the name of the error. */
export type BatchOutcome = { readonly outcome: string; readonly error?: string | undefined };

/** The outcome of an answer: its own `kind`, if it has one. The kind `problem` means that the item was refused. */
export function outcomeOfAnswer(answer: unknown): BatchOutcome {
  const kind = textOf(answer, 'kind');
  if (kind === undefined) return { outcome: 'answered' };
  return kind === 'problem' ? refusedWith(valueOf(answer, 'problem')) : { outcome: kind };
}

/** The outcome of an item refused with a problem, or with any value that has an `id`. */
export function refusedWith(problem: unknown): BatchOutcome {
  return { outcome: 'refused', error: textOf(problem, 'id') };
}

/** The outcome of an item that was rejected. */
export function outcomeOfError(error: unknown): BatchOutcome {
  if (error instanceof ContendedError) return { outcome: 'contended' };
  if (error instanceof ConnectError) return { outcome: 'refused', error: Code[error.code] };
  return { outcome: 'refused', error: error instanceof Error ? error.name : undefined };
}

function valueOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function textOf(of: unknown, name: string): string | undefined {
  const value = valueOf(of, name);
  return typeof value === 'string' ? value : undefined;
}
