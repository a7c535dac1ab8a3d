import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertAuditEntry } from '../sql/audit-entry.ts';

export type AuditedAction = {
  appId: string;
  /** e.g. "key.created" */
  action: string;
  /** An administrator, or the application's own servers. */
  actor: 'admin' | 'server';
  /** Id of the object of the action, such as a key or a user. */
  subject: string;
};

/** Writes an entry of the audit log in the transaction of the action, so that neither is stored without the other. */
export async function audit(ctx: Context, tx: Tx, action: AuditedAction): Promise<void> {
  await insertAuditEntry(tx, { ...action, id: ctx.newId(), createdAt: ctx.clock.now() });
}
