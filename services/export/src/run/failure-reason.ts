import { Code, ConnectError } from '@connectrpc/connect';

/** The reason of a failed run as the application's owner sees it, without internal details. */
export function failureReason(error: unknown): string {
  if (hasCode(error, 'ENOSPC')) return 'There was no room to write the archive.';
  if (!(error instanceof ConnectError)) return 'Something went wrong.';
  switch (error.code) {
    case Code.Unavailable:
    case Code.DeadlineExceeded:
    case Code.ResourceExhausted:
    case Code.Aborted:
      return 'A part of the platform was unavailable.';
    default:
      return 'Something went wrong.';
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
