import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertAuditEntry } from '../sql/audit-entry.ts';

export type AuditedAction = {
  appId: string;
  /** e.g. "key.created" */
  action: string;
  /** The administrator, or an app's own servers. */
  actor: 'admin' | 'server';
  /** What it was done to. */
  subject: string;
};

/** Notes an action in its own transaction: there is no action without its entry, and no entry without its action. */
export async function audit(ctx: Context, tx: Tx, action: AuditedAction): Promise<void> {
  await insertAuditEntry(tx, { ...action, id: ctx.newId(), createdAt: ctx.clock.now() });
}
