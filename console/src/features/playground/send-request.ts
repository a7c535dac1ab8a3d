import { apiAddress } from '../../api/api-url.ts';
import type { Caller } from './caller.ts';

/** A request as a person wrote it. */
export type Written = { method: string; path: string; body: string };
/** An answer as it is shown: JSON is indented. */
export type Shown = { status: number; requestId: string | null; milliseconds: number; text: string };

/** Whether a request of this method has a body. */
export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Sends any request of the API in the name of a caller. */
export async function sendRequest(caller: Caller, { method, path, body }: Written): Promise<Shown> {
  const hasBody = body !== '' && takesBody(method);
  const { pathname, search } = new URL(path, location.origin);
  const headers = await caller.headersOf(method, pathname);
  const startedAt = performance.now();
  const response = await fetch(apiAddress(pathname + search), {
    method,
    headers: {
      ...headers,
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? body : null,
    credentials: 'omit',
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - startedAt);
  const requestId = response.headers.get('x-request-id');
  return { status: response.status, requestId, milliseconds, text: indented(text) };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
