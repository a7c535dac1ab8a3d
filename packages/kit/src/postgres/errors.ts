import { Code, ConnectError } from '@connectrpc/connect';
import { types } from 'node:util';

type ServerError = Error & { code?: string; constraint?: string };

/**
 * The error of every failed statement: a ConnectError, so that it crosses RPC with the right status, plus the details from Postgres.
 * `sqlState` is absent when the failure is not the server's answer (connection lost, bad value).
 */
export class DatabaseError extends ConnectError {
  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;
  /** Whether the server may have committed the statement or transaction. */
  readonly isUnknown: boolean;

  constructor(
    message: string,
    code: Code,
    from: { sqlState?: string; constraint?: string; isUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, code, undefined, undefined, from.cause);
    this.sqlState = from.sqlState;
    this.constraint = from.constraint;
    this.isUnknown = from.isUnknown ?? false;
  }

  // ConnectError's instanceof checks the shape; that of DatabaseError checks the class.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(DatabaseError, value);
  }
}

const READ_ONLY = '25006';
/** Raised by the gate when the cell is on another server; nothing was done. */
export const MISPLACED = 'PM001';
/** A view, schema or gate function is missing, which happens once a cell has left a server. */
const GONE = new Set([MISPLACED, '42P01', '3F000', '42883']);

/** Maps an SQLSTATE, or its two-character class, to a status. The longer key wins. */
const CODE_OF_SQLSTATE: Record<string, Code> = {
  '23505': Code.AlreadyExists,
  '57014': Code.DeadlineExceeded, // statement_timeout, or cancelled
  '55P03': Code.Unavailable, // lock_timeout
  '22021': Code.InvalidArgument, // a string with a character that the encoding lacks
  '22P05': Code.InvalidArgument, // \u0000 in jsonb
  '40001': Code.Aborted,
  '40P01': Code.Aborted,
  '25P03': Code.DeadlineExceeded, // idle_in_transaction_session_timeout
  '25P04': Code.DeadlineExceeded, // transaction_timeout
  [READ_ONLY]: Code.Unavailable, // a server that takes no writes for now
  [MISPLACED]: Code.Unavailable,
  '08': Code.Unavailable,
  '28': Code.Unavailable, // a password that is being changed
  '3D': Code.Unavailable, // a database that is not there yet
  '53': Code.ResourceExhausted, // disk full, out of memory, too many connections
  '57': Code.Unavailable,
  '58': Code.Unavailable, // the server's files fail
};

/** Failures of the server that any statement would meet. */
const OUTAGES = /^(08|25006|28|3D|53|57P|58)/;

const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
]);
const LOST_CONNECTION =
  /^(Connection terminated|Client (has encountered|was closed)|timeout e|Query read timeout|Cannot use a pool after)/;
const STALE_PLAN = 'cached plan must not change result type';

/** Converts any failure to a ConnectError: a driver's error becomes a DatabaseError, a ConnectError is returned unchanged. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!types.isNativeError(error)) return ConnectError.from(error);
  const { message, code, constraint } = error as ServerError;
  if (NETWORK_ERROR_CODES.has(code ?? '') || LOST_CONNECTION.test(message)) {
    return new DatabaseError(`database unreachable: ${message}`, Code.Unavailable, { cause: error });
  }
  if (!isSqlState(code)) return new DatabaseError(message, Code.Internal, { cause: error });
  const status =
    message === STALE_PLAN
      ? Code.Unavailable
      : (CODE_OF_SQLSTATE[code] ?? CODE_OF_SQLSTATE[code.slice(0, 2)]);
  return new DatabaseError(message, status ?? Code.Internal, { sqlState: code, constraint, cause: error });
}

/** Whether the server rolled the transaction back in favour of another one; it can be tried again. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof DatabaseError && (error.sqlState === '40001' || error.sqlState === '40P01');
}

/** Whether a lock was not free within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '55P03';
}

/** Whether the database cannot be reached, is shutting down, or takes no writes; the statement itself is not at fault. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { sqlState } = error;
  return sqlState === undefined ? error.code === Code.Unavailable : OUTAGES.test(sqlState);
}

/** Whether the error leaves open whether the work was committed: callers may conclude neither success nor failure. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof DatabaseError && error.isUnknown;
}

/** Whether a statement of a movable cell failed because the cell is elsewhere; its transaction did nothing. */
export function isMisplaced(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState !== undefined && GONE.has(error.sqlState);
}

/** Whether the statement was refused because the server, the database or the session is read-only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === READ_ONLY;
}

/** Whether the connection must not be used again after this error. After a read-only error it may still serve reads. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.sqlState === undefined) return true;
  if (isReadOnly(error)) return false;
  return isOutage(error) || error.sqlState.startsWith('25P') || error.rawMessage === STALE_PLAN;
}

function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code);
}
