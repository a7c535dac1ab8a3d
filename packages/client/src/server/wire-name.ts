/** A deployment's wire name: the scheme of its ids. `svc` for an id without a scheme, such as a UUID. */
export function wireNameOf(id: string): string {
  const end = id.indexOf(':///');
  return end < 0 ? 'svc' : id.slice(0, end);
}
