import type { Grant } from '../access/principal.ts';
import type { OidcConfig } from './settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The roles of a person, by the values of the claim that the rules name. */
export function grantsOf(
  claims: Claims,
  { rolesClaim, roles }: Pick<OidcConfig, 'rolesClaim' | 'roles'>,
): Grant[] {
  const found = claimOf(claims, rolesClaim);
  const values = new Set<unknown>(Array.isArray(found) ? found : [found]);
  return roles.filter(({ value }) => values.has(value)).map(({ role, appId }) => ({ role, appId }));
}

/** A claim by its name, or by its path with dots; undefined without it. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>(stepInto, claims);
}

function stepInto(place: unknown, key: string): unknown {
  const isObject = typeof place === 'object' && place !== null && Object.hasOwn(place, key);
  return isObject ? (Reflect.get(place, key) as unknown) : undefined;
}
