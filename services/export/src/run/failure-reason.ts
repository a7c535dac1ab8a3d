import { isTransient } from '@parley/kit/rpc/transient';

/** The reason of a failed run as the application's owner sees it, without internal details. */
export function failureReason(error: unknown): string {
  if (hasCode(error, 'ENOSPC')) return 'There was no room to write the archive.';
  return isTransient(error) ? 'A part of the platform was unavailable.' : 'Something went wrong.';
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
