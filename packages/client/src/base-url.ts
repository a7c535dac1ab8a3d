/** An address to which paths are appended, in one pass over its end. */
export function withoutSlashesAtEnd(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
