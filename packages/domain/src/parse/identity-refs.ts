import { parseIdentityRef } from '../ids.ts';
import type { Wire } from '../wire.ts';
import { invalid } from './fields.ts';

/** The user id in an identity URI or a bare user id. */
export function parseIdentityValue(wire: Wire, value: unknown, property: string): string {
  const userId = typeof value === 'string' ? parseIdentityRef(wire, value) : undefined;
  return userId ?? invalid(property, 'must name an identity by its id or user id.');
}

/** A list of at most `most` identities; each user once, in the given order. */
export function parseIdentityList(
  wire: Wire,
  value: unknown,
  { property, most = Infinity }: { property: string; most?: number },
): string[] {
  if (!Array.isArray(value)) return invalid(property, 'must be a list of identities.');
  if (value.length > most) return invalid(property, `must be at most ${most} identities.`);
  const userIds = new Set<string>();
  for (const item of value) userIds.add(parseIdentityValue(wire, item, property));
  return [...userIds];
}
