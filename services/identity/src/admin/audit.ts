import { decodeActor, type ActingPerson } from '@parley/domain/actor';
import { currentContext } from '@parley/kit/request-context';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertAuditEntry } from '../sql/audit-entry.ts';

export type AuditedAction = {
  /** Undefined: it is about the platform. */
  appId?: string;
  /** e.g. "key.created" */
  action: string;
  /** An administrator, or the application's own servers. */
  actor: 'admin' | 'server';
  /** Id of the object of the action, such as a key or a user. */
  subject: string;
  /** Default: the person for whom the request was made. */
  person?: ActingPerson;
};

/** Writes an entry of the audit log, with the person for whom the request was made, in the transaction of the action, so that neither is stored without the other. */
export async function audit(ctx: Context, tx: Tx, action: AuditedAction): Promise<void> {
  const person = action.person ?? decodeActor(currentContext()?.actor);
  await insertAuditEntry(tx, { ...action, person, id: ctx.newId(), createdAt: ctx.clock.now() });
}
