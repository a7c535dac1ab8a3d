/** An address to which paths are appended. */
export function withoutSlashesAtEnd(url: string): string {
  while (url.endsWith('/')) url = url.slice(0, -1);
  return url;
}
