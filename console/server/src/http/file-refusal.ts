import type { GatewayContext } from '../../../../gateway/src/context.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import { constantError } from '@parley/http/errors/error-form';
import { errorAnswer } from '../../../../gateway/src/api/http/errors.ts';

const MALFORMED = constantError('invalid_request');
const UNKNOWN_PATH = constantError('invalid_endpoint');

/**
 * The answer to any error of a request that express serves. What serves files throws errors with a status: for a condition that fails, a
 * range that the file does not have, or a path that leads to no file.
 */
export async function mountedErrorAnswer(ctx: GatewayContext, error: unknown): Promise<HttpResponse> {
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
