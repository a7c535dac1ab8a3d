/** The cursor in the address of a `Link` with rel `next`. */
export function cursorOf(link: string): string | undefined {
  const [, query = ''] = /<[^<>?]*\?([^<>]*)>\s*;\s*rel="?next"?(?:[\s;,]|$)/.exec(link) ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
}
