/** `<url>; rel=name, <url>; rel=name`. SPEC completions 1. */
export function linkHeader(links: Record<string, string>): string {
  return Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel=${rel}`)
    .join(', ');
}
