const MAX_REASON_CHARACTERS = 200;
/** Answers of a push service that is busy or broken; all others of 300 and more are about the request. */
const TEMPORARY = new Set([408, 425, 429]);

/** The answer of a push service, or the reason why it was not asked. */
export type Outcome =
  | { kind: 'delivered' }
  /** The device is not known any more: its token is to be deleted. */
  | { kind: 'gone'; reason: string }
  /** The push will not be taken however often it is sent. */
  | { kind: 'refused'; reason: string }
  /** The push may be taken later, after the delay that was asked for, in milliseconds. */
  | { kind: 'failed'; reason: string; retryAfterMs?: number };

export function isTemporary(status: number): boolean {
  return status >= 500 || TEMPORARY.has(status);
}

/** An answer in words, without what Postgres does not accept. */
export function describeAnswer(status: number, text: string): string {
  const words = text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  return `${status} ${words}`.slice(0, MAX_REASON_CHARACTERS).trim().toWellFormed();
}
