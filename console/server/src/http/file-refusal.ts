import type { HttpResponse } from '@parley/http/answers/response';
import { constantError } from '@parley/http/errors/error-form';
import { errorAnswer, UNKNOWN_PATH } from '@parley/http/errors/error-answer';
import type { HttpParts } from '@parley/http/parts';

const MALFORMED = constantError('invalid_request');

/**
 * The answer to any error of a request that express serves. What serves files throws errors with a status: for a condition that fails, a
 * range that the file does not have, or a path that leads to no file.
 */
export function mountedErrorAnswer(ctx: Pick<HttpParts, 'errorDocs' | 'log'>, error: unknown): HttpResponse {
  const { status, headers } = error instanceof Error ? (error as FileError) : {};
  switch (status) {
    case 412:
      return { status };
    case 416:
      return { status, headers };
    case 400:
      return errorAnswer(ctx, MALFORMED);
    case 403:
    case 404:
      return errorAnswer(ctx, UNKNOWN_PATH);
    default:
      return errorAnswer(ctx, error);
  }
}

type FileError = Error & { status?: number; headers?: Record<string, string> };
