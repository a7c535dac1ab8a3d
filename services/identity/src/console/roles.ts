import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { RoleGrant } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { RoleRow } from '../sql/console-session.ts';

const ROLES = ['viewer', 'operator', 'owner'];
const MAX_ROLES = 1_000;

/** Problems: invalid_property. */
export function parseRoles(roles: readonly RoleGrant[]): RoleRow[] {
  if (roles.length === 0 || roles.length > MAX_ROLES) failRoles();
  return roles.map(({ role, appId }) => {
    if (!ROLES.includes(role) || (appId !== undefined && !isUuid(appId))) failRoles();
    return { role, app_id: appId?.toLowerCase() ?? null };
  });
}

export function toRoleGrant({ role, app_id: appId }: RoleRow) {
  return appId === null ? { role } : { role, appId };
}

function failRoles(): never {
  fail('invalid_property', {
    property: 'roles',
    message: `roles must be 1 to ${MAX_ROLES} of {role, app_id}: viewer, operator or owner, and the UUID of an application or nothing.`,
  });
}
