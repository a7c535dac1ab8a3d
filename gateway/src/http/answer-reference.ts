import { isFields } from '@parley/domain/parse/fields';
import type { HttpResponse } from '../responses/response.ts';

/** What an answer is rendered again from. */
export type AnswerReference = {
  status: number;
  headers?: Record<string, string> | undefined;
  /** The object that the body shows. */
  object: { id: unknown; url: string };
  /** Where the caller reads the object, below the gateway's address; absent: the request is run again, which finds what it did. */
  path?: string;
  /** The body of a refusal without its `data`, which shows the object. */
  error?: Record<string, unknown>;
};

/** Bytes up to which an answer is as good as its reference. */
const SMALL = 1_024;

/** Undefined: the answer is small, or shows no object that could be read again. */
export function referenceOf(
  { status, headers, body, json }: HttpResponse,
  { baseUrl, isRead }: { baseUrl: string; isRead: (path: string) => boolean },
): AnswerReference | undefined {
  const text = json ?? (body === undefined ? '' : JSON.stringify(body));
  if (text.length <= SMALL) return undefined;
  const shown: unknown = body ?? JSON.parse(text);
  if (!isFields(shown)) return undefined;
  const object = status < 400 ? shown : shown['data'];
  if (!isFields(object) || typeof object['url'] !== 'string') return undefined;
  const { url } = object;
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : undefined;
  return {
    status,
    ...(headers && { headers }),
    object: { id: object['id'], url },
    ...(path !== undefined && isRead(path) && { path }),
    ...(status >= 400 && { error: { ...shown, data: null } }),
  };
}

/**
 * The answer with the object as the caller reads it now; `read` undefined: the caller does not see it any more, and gets its id and address, or
 * the refusal without it.
 */
export function answerOf({ status, headers, object, error }: AnswerReference, read: unknown): HttpResponse {
  const data = read ?? object;
  return { status, headers, body: error ? { ...error, data: read ?? null } : data };
}
