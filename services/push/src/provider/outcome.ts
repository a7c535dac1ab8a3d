/** What a push service answered, or why it was not asked. */
export type Outcome =
  | { kind: 'delivered' }
  /** The device is not known any more: its token is to be deleted. */
  | { kind: 'gone'; reason: string }
  /** It will not be taken however often it is sent. */
  | { kind: 'refused'; reason: string }
  /** It may be taken later, after the delay that was asked for, in milliseconds. */
  | { kind: 'failed'; reason: string; retryAfterMs?: number };
