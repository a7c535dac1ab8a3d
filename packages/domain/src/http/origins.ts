import { fail } from '../problems.ts';

/** Whether a text is an origin as browsers send it in `Origin`: scheme, host and port, without a path. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === text;
}

/**
 * Refuses requests of pages whose origin the application does not allow. A request without an origin comes from no page and passes; an
 * empty list allows all origins. Problems: access_denied.
 */
export function requireAllowedOrigin(allowed: readonly string[], origin: string | undefined): void {
  if (origin === undefined || allowed.length === 0) return;
  const given = URL.parse(origin)?.origin;
  if (given !== undefined && allowed.includes(given)) return;
  fail('access_denied', {
    message: 'The application does not allow calls from pages of this origin.',
    data: { header: 'Origin' },
  });
}
