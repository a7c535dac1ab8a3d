/**
 * The first statement of a transaction that holds locks while a test goes on: it is idle meanwhile, on a busy machine for longer than
 * Postgres allows by itself.
 */
export const STAYS_OPEN = { text: 'set local idle_in_transaction_session_timeout = 0' };

/** Options of such a transaction, which is cancelled when the test has forgotten it. */
export const HELD = { timeoutMs: 60_000 };
