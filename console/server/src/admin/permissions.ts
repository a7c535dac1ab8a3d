import { callFactsOf } from '@parley/kit/rpc/call-facts';
import {
  Leaves as ProtoLeaves,
  Role as ProtoRole,
  Scope as ProtoScope,
} from '@parley/proto/parley/rpc/v1/call_pb';
import type { Leaves, Recorded, Role } from '@parley/administration/roles';
import { SERVICES } from '@parley/administration/describe';

/**
 * The place in which a request names the application that it is about. `platform`: none, so the role must be one of all applications. `app`: in
 * `app_uuid`. `app-or-all`: there too, or it is about all. `provider`, `key`, `access_token`: it names that object, whose application is
 * looked up first. `answer`: the answer is cut to the applications of the caller.
 */
export type Scope = 'platform' | 'app' | 'app-or-all' | 'provider' | 'key' | 'access_token' | 'answer';

/** `leaves`: in the answer, or later by what the call sets up. docs/console.md#what-leaves-the-platform */
export type Permission = { role: Role; scope: Scope; leaves: Leaves; recorded: Recorded };

const ROLES: Readonly<Record<ProtoRole, Role | undefined>> = {
  [ProtoRole.UNSPECIFIED]: undefined,
  [ProtoRole.VIEWER]: 'viewer',
  [ProtoRole.OPERATOR]: 'operator',
  [ProtoRole.OWNER]: 'owner',
};

const SCOPES: Readonly<Record<ProtoScope, Scope | undefined>> = {
  [ProtoScope.UNSPECIFIED]: undefined,
  [ProtoScope.PLATFORM]: 'platform',
  [ProtoScope.APP]: 'app',
  [ProtoScope.APP_OR_ALL]: 'app-or-all',
  [ProtoScope.PROVIDER]: 'provider',
  [ProtoScope.KEY]: 'key',
  [ProtoScope.ACCESS_TOKEN]: 'access_token',
  [ProtoScope.ANSWER]: 'answer',
};

const LEAVES: Readonly<Record<ProtoLeaves, Leaves | undefined>> = {
  [ProtoLeaves.UNSPECIFIED]: undefined,
  [ProtoLeaves.NONE]: 'none',
  [ProtoLeaves.USERS]: 'users',
  [ProtoLeaves.MESSAGES]: 'messages',
  [ProtoLeaves.CREDENTIALS]: 'credentials',
};

/** From the .proto of each method. docs/console.md#roles */
const PERMISSIONS: ReadonlyMap<string, Permission> = new Map(
  SERVICES.flatMap(({ typeName, methods }) =>
    methods.flatMap((method) => {
      const permission = permissionIn(callFactsOf(method));
      return permission ? [[`${typeName}/${method.name}`, permission] as const] : [];
    }),
  ),
);

/** Undefined: the method is not declared, so that it is refused. */
export function permissionOf(service: string, method: string): Permission | undefined {
  return PERMISSIONS.get(`${service}/${method}`);
}

/** Undefined: something is not said. */
function permissionIn({ access }: ReturnType<typeof callFactsOf>): Permission | undefined {
  if (!access) return undefined;
  const [role, scope, leaves] = [ROLES[access.role], SCOPES[access.scope], LEAVES[access.leaves]];
  return role && scope && leaves && { role, scope, leaves, recorded: access.unrecorded ? 'none' : 'call' };
}
