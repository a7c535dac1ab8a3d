/** `addresses`: where pages may send requests besides their own origin. */
export type PolicyOptions = { nonce: string; publicUrl: string; contentUrl: string };

/** The Content-Security-Policy of the console: its own scripts, styles of this answer, no frames, nothing of other hosts. */
export function consolePolicy({ nonce, publicUrl, contentUrl }: PolicyOptions): string {
  const api = new URL(publicUrl);
  const socket = `${api.protocol === 'https:' ? 'wss' : 'ws'}://${api.host}`;
  const content = new URL(contentUrl).origin;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${content}`,
    `media-src 'self' blob: ${content}`,
    "font-src 'self'",
    `connect-src 'self' ${api.origin} ${socket} ${content}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
