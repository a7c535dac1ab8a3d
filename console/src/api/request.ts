import { RequestFailure } from './failure.ts';

/** Fails with a RequestFailure unless the answer is a success. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init);
  if (response.ok) return response;
  const body = asRecord(await response.json().catch(() => undefined));
  throw new RequestFailure(textOf(body.message) ?? `The answer was ${response.status}.`, {
    status: response.status,
    errorId: textOf(body.id) ?? textOf(body.code) ?? `http_${response.status}`,
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

export function postJson(path: string, body: unknown): Promise<Response> {
  return request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The body of an answer. The caller names its type; the tests of the gateway hold the answers to it. */
export function jsonOf<Body>(response: Response): Promise<Body> {
  return response.json();
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
