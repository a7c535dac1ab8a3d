/** `scripts`: hashes of scripts that stand in pages. `addresses`: where pages may send requests besides this origin. */
export type Sources = { scripts: readonly string[]; addresses: readonly string[] };

/**
 * The Content-Security-Policy of the documentation. Styles may stand in pages, since highlighted code has a style for each word;
 * scripts may not, but for the ones with these hashes.
 */
export function contentPolicy({ scripts, addresses }: Sources): string {
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
