import { decodeActor, type ActingPerson } from '@parley/domain/actor';
import { isUuid } from '@parley/domain/ids';
import { currentContext } from '@parley/kit/runtime/request-context';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { completeAuditEntry, insertAuditEntry } from '../sql/audit-entry.ts';

export type AuditedAction = {
  /** Undefined: the entry is about the platform. */
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

/**
 * Records an action in the audit log, in the action's transaction, so that neither is stored without the other. The entry that an
 * operator's call got before it began becomes the action's entry; an action without such a call, and any further action of the call, get a
 * new entry.
 */
export async function audit(ctx: Context, tx: Tx, action: AuditedAction): Promise<void> {
  const { requestId, actor } = currentContext() ?? {};
  const { person, entryId } = decodeActor(actor);
  const objectId = isUuid(action.subject) ? action.subject : undefined;
  const entry = { ...action, objectId, outcome: 'done' as const };
  const isOfCall = entryId !== undefined && isUuid(entryId);
  if (isOfCall && (await completeAuditEntry(tx, { ...entry, id: entryId }))) return;
  await insertAuditEntry(tx, {
    ...entry,
    person: action.person ?? person,
    id: ctx.newId(),
    createdAt: ctx.clock.now(),
    requestId,
  });
}
