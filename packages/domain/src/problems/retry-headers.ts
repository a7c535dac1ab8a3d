import type { HttpProblem } from './http.ts';

/** The headers that say when to try again, as an answer of HTTP has them; undefined when there is no use in that. */
export function retryHeaders({
  body,
  retryAfter,
}: Pick<HttpProblem, 'body' | 'retryAfter'>): Record<string, string> | undefined {
  if (retryAfter === undefined) return undefined;
  const rateLimit = rateLimitHeader(body.data);
  return { 'retry-after': String(retryAfter), ...(rateLimit !== undefined && { ratelimit: rateLimit }) };
}

/** What a refusal by a limit says: nothing is left of which policy, and for how many seconds. */
function rateLimitHeader(data: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const { policy, retry_after_seconds: seconds } = data ?? {};
  return typeof policy === 'string' && typeof seconds === 'number'
    ? `"${policy}";r=0;t=${seconds}`
    : undefined;
}
