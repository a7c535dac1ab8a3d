import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';

const NAMES_OF_ACTORS: Readonly<Record<string, string>> = {
  admin: 'administration token',
  server: 'a server of the application',
  unknown: 'somebody who is not known',
};

/** The person, as their identity provider names them; or what acted without one. */
export function whoOf({ actor, actorIssuer, actorSubject }: AuditEntry): string {
  if (actorSubject !== undefined) return `${actorSubject} (${actorIssuer})`;
  return Object.hasOwn(NAMES_OF_ACTORS, actor) ? (NAMES_OF_ACTORS[actor] ?? actor) : actor;
}

/** The texts of an entry that a filter looks at. */
export function textsOf(entry: AuditEntry): string[] {
  const { action, actor, subject, method = '', outcome = 'done', code = '' } = entry;
  return [action, actor, whoOf(entry), subject, method, outcome, code];
}
