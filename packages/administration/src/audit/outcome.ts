import { problemOf, toHttp, type ErrorDocs } from '@parley/domain/problems';

/**
 * How a call ended. `refused`: by a status of 4xx, so that nothing was done. `failed`: by another, or because the caller went away, so that all or
 * a part of it may be done.
 */
export type Outcome = { outcome: 'done' | 'refused' | 'failed'; code: string; objectId?: string | undefined };

export const DONE: Outcome = { outcome: 'done', code: '' };

/** The statuses of a request that ended before its work did. */
const UNFINISHED = new Set([408, 499]);

/** The outcome of a call that ended with an error. */
export function outcomeOfError(error: unknown, docs: ErrorDocs): Outcome {
  const { status, body } = toHttp(error, docs);
  return outcomeOfStatus(status, problemOf(error)?.id ?? body.id);
}

export function outcomeOfStatus(status: number, code: string): Outcome {
  if (status < 400) return DONE;
  return { outcome: status < 500 && !UNFINISHED.has(status) ? 'refused' : 'failed', code };
}
