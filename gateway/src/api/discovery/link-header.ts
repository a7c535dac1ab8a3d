/** `<url>; rel=name, <url>; rel=name`. docs/protocol/requests.md#where-clients-begin */
export function linkHeader(links: Record<string, string>): string {
  return Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel=${rel}`)
    .join(', ');
}
