import { Failure } from './failure.ts';

export type Sent = { method?: string; headers?: Record<string, string>; body?: object };

const WITHIN_MS = 20_000;

/** Sends a request with JSON. Fails with a Failure that names the address and the platform's error. */
export async function send(url: string, { method = 'POST', headers = {}, body }: Sent): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(WITHIN_MS),
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new Failure(`Nothing answers at ${new URL(url).origin}: is the platform running there?`, {
      cause: error,
    });
  }
  if (response.ok) return response;
  const text = await response.text();
  throw new Failure(`${method} ${url} answered ${response.status}: ${messageOf(text)}`);
}

function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not the platform's own error.
  }
  return text.slice(0, 200);
}
