import type { Sql } from '@parley/kit/postgres';

export type Outcome = 'done' | 'refused' | 'failed';

export type AuditEntryRow = {
  id: string;
  app_uuid: string | null;
  action: string;
  actor: string;
  subject: string;
  created_at: number;
  actor_issuer: string | null;
  actor_subject: string | null;
  method: string | null;
  request_id: string | null;
  outcome: Outcome | null;
  code: string | null;
  object_id: string | null;
  count: number | null;
};

export type NewAuditEntry = {
  id: string;
  appId?: string | undefined;
  action: string;
  actor: string;
  subject: string;
  createdAt: number;
  person: { issuer: string; subject: string } | undefined;
  method?: string | undefined;
  requestId?: string | undefined;
  outcome?: Outcome | undefined;
  code?: string | undefined;
  objectId?: string | undefined;
  count?: number | undefined;
  namesUser?: boolean | undefined;
};

/** Entries that are kept permanently: actions on applications, providers, keys and access tokens of servers. */
const FOR_GOOD = `action ~ '^(app|provider|key|access_token)[.]' and action not like 'access_token.issued%'`;

export async function insertAuditEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  await sql.execute({
    text: `
      insert into audit_entry (id, app_id, action, actor, subject, created_at, actor_issuer, actor_subject,
        method, request_id, outcome, code, object_id, count, names_user)
      values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    values: [
      entry.id,
      entry.appId ?? null,
      entry.action,
      entry.actor,
      entry.subject,
      entry.createdAt,
      entry.person?.issuer ?? null,
      entry.person?.subject ?? null,
      entry.method ?? null,
      entry.requestId ?? null,
      entry.outcome ?? null,
      entry.code ?? null,
      entry.objectId ?? null,
      entry.count ?? null,
      entry.namesUser ?? true,
    ],
  });
}

export type Completion = Pick<NewAuditEntry, 'id' | 'appId' | 'action' | 'subject' | 'outcome' | 'objectId'>;

/** Turns a call's entry into that of its action; returns whether there was one without an outcome. */
export async function completeAuditEntry(sql: Sql, entry: Completion): Promise<boolean> {
  const { id, appId, action, subject, outcome, objectId } = entry;
  const count = await sql.execute({
    text: `
      update audit_entry set action = $2, subject = $3, outcome = $4, app_id = coalesce($5, app_id),
        object_id = coalesce($6, object_id), names_user = names_user or $7
      where id = $1 and outcome is null and method is not null`,
    values: [id, action, subject, outcome, appId ?? null, objectId ?? null, action.startsWith('user.')],
  });
  return count > 0;
}

/** Records how a call ended, unless that is known. A call that failed after identity had done its part has failed. */
export async function endAuditEntry(
  sql: Sql,
  entry: Pick<NewAuditEntry, 'id' | 'outcome' | 'code' | 'objectId'>,
): Promise<void> {
  await sql.execute({
    text: `
      update audit_entry set outcome = $2, code = $3, object_id = coalesce(object_id, $4)
      where id = $1 and method is not null and (outcome is null or ($2 = 'failed' and code is null))`,
    values: [entry.id, entry.outcome, entry.code ?? null, entry.objectId ?? null],
  });
}

type Page = {
  appId: string | undefined;
  objectId: string | undefined;
  fromId: string | undefined;
  pageSize: number;
};

/** Newest first, entries older than `fromId`. */
export function listAuditEntries(sql: Sql, page: Page): Promise<AuditEntryRow[]> {
  return sql.query<AuditEntryRow>({
    text: `
      select id, app_id as app_uuid, action, actor, subject, created_at, actor_issuer, actor_subject,
        method, request_id, outcome, code, object_id, count
      from audit_entry
      where ($1::uuid is null or app_id = $1) and ($2::uuid is null or id < $2) and ($4::uuid is null or object_id = $4)
      order by id desc limit $3`,
    values: [page.appId, page.fromId, page.pageSize, page.objectId],
  });
}

/** Deletes at most `limit` entries older than a time, except those that are kept permanently; returns how many. */
export function deleteAuditEntriesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from audit_entry where id = any (array(
        select id from audit_entry
        where created_at < to_timestamp($1 / 1000.0) and not (${FOR_GOOD}) limit $2))`,
    values: [time, limit],
  });
}
