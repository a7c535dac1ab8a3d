import type { HttpProblem } from './http.ts';

/** HTTP headers about retrying; undefined for a problem that a retry cannot solve. */
export function retryHeaders({
  body,
  retryAfter,
}: Pick<HttpProblem, 'body' | 'retryAfter'>): Record<string, string> | undefined {
  if (retryAfter === undefined) return undefined;
  const rateLimit = rateLimitHeader(body.data);
  return { 'retry-after': String(retryAfter), ...(rateLimit !== undefined && { ratelimit: rateLimit }) };
}

/** The RateLimit header of a refusal: the exhausted policy, and the seconds until it has room again. */
function rateLimitHeader(data: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const { policy, retry_after_seconds: seconds } = data ?? {};
  return typeof policy === 'string' && typeof seconds === 'number'
    ? `"${policy}";r=0;t=${seconds}`
    : undefined;
}
