/** An address to which paths can be appended. */
export function withoutSlashesAtEnd(url: string): string {
  while (url.endsWith('/')) url = url.slice(0, -1);
  return url;
}
