import { Code, ConnectError } from '@connectrpc/connect';

/** The store cannot be reached, is full, or failed otherwise. */
export function unavailable(what: string, cause: unknown): ConnectError {
  const reason = codeOf(cause) ?? String(cause);
  return new ConnectError(`blob store: ${what}: ${reason}`, Code.Unavailable, undefined, undefined, cause);
}

/** The store has no such blob or upload. */
export function notFound(key: string, cause?: unknown): ConnectError {
  return new ConnectError(
    `blob store: no such blob or upload: ${key}`,
    Code.NotFound,
    undefined,
    undefined,
    cause,
  );
}

/** Whether an error is that of `notFound`. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

const KEY_PATTERN = /^[\w.-]+(\/[\w.-]+)*$/;

/** Refuses keys that could point outside of the store, such as those with `..`. */
export function checkKey(key: string): string {
  if (KEY_PATTERN.test(key) && !key.split('/').some((step) => /^\.+$/.test(step))) return key;
  throw new ConnectError(`not a key of a blob: ${key}`, Code.InvalidArgument);
}

/** The code of an error of a system call or a store. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
