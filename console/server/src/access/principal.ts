import { createContextKey, type ContextKey } from '@connectrpc/connect';
import type { Response } from 'express';
import { encodeActor, type ActingPerson } from '@parley/domain/actor';
import type { ConsoleSession, RoleGrant } from '@parley/proto/parley/identity/v1/console_service_pb';
import { covers, isRole, type Role } from '@parley/administration/roles';

/** `appId` undefined: of all applications. */
export type Grant = { role: Role; appId: string | undefined };

/** A caller of the administration API, and what they may do. */
export type Principal = {
  grants: readonly Grant[];
  /** A person, or an automation token in the form of one; undefined: the administration token. */
  person: ActingPerson | undefined;
};

/** The holder of the setting PARLEY_ADMIN_TOKEN. */
export const ADMINISTRATOR: Principal = { grants: [{ role: 'owner', appId: undefined }], person: undefined };

/** The principal of a call to the administration API. Undefined: the call has not been admitted. */
export const PRINCIPAL: ContextKey<Principal | undefined> = createContextKey<Principal | undefined>(
  undefined,
);

/** The issuer of automation tokens, beside those of people. */
export const AUTOMATION = 'automation';

/** The form in which services learn for whom they are called; undefined: the administration token. */
export function actorOf({ person }: Principal): string | undefined {
  return person && encodeActor({ person });
}

/** Whether a principal has any role in an application; `appId` undefined: in all applications. */
export function knowsApp({ grants }: Principal, appId: string | undefined): boolean {
  return grants.some((grant) => grant.appId === undefined || grant.appId === appId);
}

/** Whether a principal has at least a role in an application; `appId` undefined: in all applications. */
export function hasRole({ grants }: Principal, role: Role, appId: string | undefined): boolean {
  return grants.some(
    (grant) => (grant.appId === undefined || grant.appId === appId) && covers(grant.role, role),
  );
}

/** The highest role that a principal with any has in an application. */
export function roleIn(principal: Principal, appId: string): Role {
  const held = (['owner', 'operator'] as const).find((role) => hasRole(principal, role, appId));
  return held ?? 'viewer';
}

/** The person of a console session. Roles that this release does not know grant nothing. */
export function principalOfSession({ person, roles }: ConsoleSession): Principal {
  const { issuer = '', subject = '' } = person ?? {};
  return { grants: grantsOf(roles), person: { issuer, subject } };
}

/** A program with an automation token. */
export function principalOfAutomation({ name, roles }: { name: string; roles: RoleGrant[] }): Principal {
  return { grants: grantsOf(roles), person: { issuer: AUTOMATION, subject: name } };
}

function grantsOf(roles: readonly RoleGrant[]): Grant[] {
  return roles.flatMap(({ role, appId }) => (isRole(role) ? [{ role, appId }] : []));
}

const ADMITTED = new WeakMap<Response, Principal>();

/** Notes for whom a request was admitted. */
export function admitAs(res: Response, principal: Principal): void {
  ADMITTED.set(res, principal);
}

export function principalOf(res: Response): Principal | undefined {
  return ADMITTED.get(res);
}
