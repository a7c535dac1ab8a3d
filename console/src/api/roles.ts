export type Role = 'viewer' | 'operator' | 'owner';
/** A role with an `app_id` of null holds for all applications. */
export type RoleGrant = { role: Role; app_id: string | null };

const RANKS = { viewer: 0, operator: 1, owner: 2 } satisfies Record<Role, number>;

/** Whether the role, or a higher one, is among those that were granted: for all applications without an id, else for that one. */
export function hasRole(granted: readonly RoleGrant[], needed: Role, appUuid?: string): boolean {
  return granted.some(
    ({ role, app_id }) => RANKS[role] >= RANKS[needed] && (app_id === null || app_id === appUuid),
  );
}
