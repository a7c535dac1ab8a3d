/** Scheme, host and port as a browser sends them in `Origin`. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && origin === text;
}
