import type {
  ListAuditEntriesRequest,
  ListAuditEntriesResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toAuditEntry } from '../../admin/view.ts';
import { listAuditEntries as listAuditEntryRows } from '../../sql/audit-entry.ts';
import { parseAppId, parsePageSize, parseUuid } from '../../admin/parse-input.ts';

/** Newest first. Entries of a deleted application that name no user stay. */
export async function listAuditEntries(
  ctx: Context,
  req: ListAuditEntriesRequest,
): RpcResponse<typeof ListAuditEntriesResponseSchema> {
  const appId = req.appUuid === '' ? undefined : parseAppId(ctx.wire, req.appUuid);
  const fromId = req.fromId === '' ? undefined : parseUuid(req.fromId, 'from_id');
  const objectId = req.objectId === '' ? undefined : parseUuid(req.objectId, 'object_id');
  const page = { appId, objectId, fromId, pageSize: parsePageSize(req.pageSize) };
  const entries = await listAuditEntryRows(ctx.db, page);
  return { entries: entries.map(toAuditEntry) };
}
