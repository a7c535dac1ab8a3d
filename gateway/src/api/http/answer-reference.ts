import { isFields } from '@parley/domain/parse/fields';
import type { HttpResponse } from '@parley/http/answers/response';

/** A reference from which an answer can be rendered again. */
export type AnswerReference = {
  status: number;
  headers?: Record<string, string> | undefined;
  /** Bare id of the object that the body shows. */
  id: string;
  /** Path of the object's GET, below the gateway's address; absent: the request is run again and finds its earlier effect. */
  path?: string;
  /** The body of a refusal without the `data` that shows the object. */
  error?: Record<string, unknown>;
};

/** Answers up to this size are recorded in full. Bytes. */
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
    id: String(object['id']).replace(/^.*\//, ''),
    ...(path !== undefined && isRead(path) && { path }),
    ...(status >= 400 && { error: { ...shown, data: null } }),
  };
}

/**
 * The recorded answer with the object as it is now. Undefined: the object is gone or the caller may not see it any more, so the GET's own
 * answer is returned. A recorded refusal stays a refusal, with null for such an object.
 */
export function answerOf(
  { status, headers, error }: AnswerReference,
  read: HttpResponse,
): HttpResponse | undefined {
  const object = read.status === 200 ? read.body : undefined;
  if (error) return { status, headers, body: { ...error, data: object ?? null } };
  return object === undefined ? undefined : { status, headers, body: object };
}
