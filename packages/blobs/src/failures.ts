import { Code, ConnectError } from '@connectrpc/connect';

export function unavailable(what: string, cause: unknown): ConnectError {
  const reason = codeOf(cause) ?? String(cause);
  return new ConnectError(`blob store: ${what}: ${reason}`, Code.Unavailable, undefined, undefined, cause);
}

export function notFound(key: string, cause?: unknown): ConnectError {
  return new ConnectError(
    `blob store: no such blob or upload: ${key}`,
    Code.NotFound,
    undefined,
    undefined,
    cause,
  );
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

const keyPattern = /^[\w.-]+(\/[\w.-]+)*$/;

/** Refuses what could mean another place. */
export function checkKey(key: string): string {
  if (keyPattern.test(key) && !key.split('/').some((step) => /^\.+$/.test(step))) return key;
  throw new ConnectError(`not a key of a blob: ${key}`, Code.InvalidArgument);
}

/** What system calls and stores name an error by. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
