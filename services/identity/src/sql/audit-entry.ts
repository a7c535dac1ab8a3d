import type { Sql } from '@parley/kit/postgres';

export type AuditEntryRow = {
  id: string;
  app_uuid: string | null;
  action: string;
  actor: string;
  subject: string;
  created_at: number;
  actor_issuer: string | null;
  actor_subject: string | null;
};

export type NewAuditEntry = {
  id: string;
  appId?: string | undefined;
  action: string;
  actor: string;
  subject: string;
  createdAt: number;
  person: { issuer: string; subject: string } | undefined;
};

export async function insertAuditEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  await sql.execute({
    text: `
      insert into audit_entry (id, app_id, action, actor, subject, created_at, actor_issuer, actor_subject)
      values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7, $8)`,
    values: [
      entry.id,
      entry.appId ?? null,
      entry.action,
      entry.actor,
      entry.subject,
      entry.createdAt,
      entry.person?.issuer ?? null,
      entry.person?.subject ?? null,
    ],
  });
}

/** Newest first, entries older than `fromId`. */
export function listAuditEntries(
  sql: Sql,
  page: { appId: string | undefined; fromId: string | undefined; pageSize: number },
): Promise<AuditEntryRow[]> {
  return sql.query<AuditEntryRow>({
    text: `
      select id, app_id as app_uuid, action, actor, subject, created_at, actor_issuer, actor_subject from audit_entry
      where ($1::uuid is null or app_id = $1) and ($2::uuid is null or id < $2)
      order by id desc limit $3`,
    values: [page.appId, page.fromId, page.pageSize],
  });
}
