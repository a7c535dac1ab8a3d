/** An address to which paths are appended. */
export function withoutSlashesAtEnd(url: string): string {
  // eslint-disable-next-line regexp/no-super-linear-move, parley/linear-regexp -- the application's own text
  return url.replace(/\/+$/, '');
}
