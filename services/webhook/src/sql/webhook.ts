import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import type { Sql, Tx } from '@parley/kit/postgres';
import { WebhookSchema, WebhookStatus, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';

const COLUMNS = `app_id, id, version, target_url, events, status, status_reason, config, created_at`;

export type WebhookKey = { appId: string; id: string };

export type NewWebhook = WebhookKey & {
  version: string;
  targetUrl: string;
  events: string[];
  /** Sealed. */
  secrets: Buffer;
  config: JsonObject | undefined;
  createdAt: number;
  verificationId: string;
};

/** Stores an unverified webhook, whose verification is due. */
export async function insertWebhook(sql: Sql, webhook: NewWebhook): Promise<Webhook> {
  const rows = await sql.query<JsonValue>({
    text: `
      insert into webhook (app_id, id, version, target_url, events, secrets, config, status, created_at,
        verification_id, verify_at, accepts_from)
      select $1, $2, $3, $4, $5, $6, $7, ${WebhookStatus.UNVERIFIED}, at, $9, at, at
      from to_timestamp($8::float8 / 1000) as at
      returning ${COLUMNS}`,
    values: [
      webhook.appId,
      webhook.id,
      webhook.version,
      webhook.targetUrl,
      webhook.events,
      webhook.secrets,
      jsonOrNull(webhook.config),
      webhook.createdAt,
      webhook.verificationId,
    ],
  });
  return toWebhooks(rows)[0]!;
}

/** How many webhooks an application has; no other transaction adds one until this one ends. */
export async function countWebhooks(tx: Tx, appId: string): Promise<number> {
  await tx.execute({
    text: `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
    values: [`webhooks/${appId}`],
  });
  const [row] = await tx.query<{ count: number }>({
    text: `select count(*)::int as count from webhook where app_id = $1`,
    values: [appId],
  });
  return row?.count ?? 0;
}

export async function findWebhook(sql: Sql, { appId, id }: WebhookKey): Promise<Webhook | undefined> {
  const rows = await sql.query<JsonValue>({
    text: `select ${COLUMNS} from webhook where app_id = $1 and id = $2`,
    values: [appId, id],
  });
  return toWebhooks(rows)[0];
}

/** The webhooks of an application, oldest first. */
export async function listWebhooks(sql: Sql, appId: string): Promise<Webhook[]> {
  const rows = await sql.query<JsonValue>({
    text: `select ${COLUMNS} from webhook where app_id = $1 order by created_at, id`,
    values: [appId],
  });
  return toWebhooks(rows);
}

/** The webhook with its sealed secrets, locked until the end of the transaction. */
export async function lockWebhook(
  sql: Sql,
  { appId, id }: WebhookKey,
): Promise<{ webhook: Webhook; secrets: Buffer } | undefined> {
  const [row] = await sql.query<{ secrets: Buffer; [column: string]: unknown }>({
    text: `select ${COLUMNS}, secrets from webhook where app_id = $1 and id = $2 for no key update`,
    values: [appId, id],
  });
  if (!row) return undefined;
  const { secrets, ...rest } = row;
  return { webhook: fromJson(WebhookSchema, rest as JsonObject), secrets };
}

export type WebhookFields = {
  targetUrl: string;
  events: string[];
  config: JsonObject | undefined;
  secrets: Buffer;
};

export async function updateWebhook(
  sql: Sql,
  { appId, id }: WebhookKey,
  fields: WebhookFields,
): Promise<Webhook> {
  const rows = await sql.query<JsonValue>({
    text: `
      update webhook set target_url = $3, events = $4, config = $5, secrets = $6
      where app_id = $1 and id = $2 returning ${COLUMNS}`,
    values: [appId, id, fields.targetUrl, fields.events, jsonOrNull(fields.config), fields.secrets],
  });
  return toWebhooks(rows)[0]!;
}

export async function deactivateWebhook(
  sql: Sql,
  { appId, id }: WebhookKey,
  reason: string,
): Promise<Webhook | undefined> {
  const rows = await sql.query<JsonValue>({
    text: `
      update webhook set status = ${WebhookStatus.INACTIVE}, status_reason = $3, verification_id = null,
        verify_at = null, resuming = false, failing_since = null
      where app_id = $1 and id = $2 returning ${COLUMNS}`,
    values: [appId, id, reason],
  });
  return toWebhooks(rows)[0];
}

/** Deletes a webhook; a timer deletes its deliveries. False when there is no such webhook. */
export async function deleteWebhook(sql: Sql, { appId, id }: WebhookKey, now: number): Promise<boolean> {
  const removed = await sql.execute({
    text: `
      with deleted as (delete from webhook where app_id = $1 and id = $2 returning app_id, id)
      insert into removed_webhook (app_id, id, removed_at)
      select app_id, id, to_timestamp($3::float8 / 1000) from deleted`,
    values: [appId, id, now],
  });
  return removed > 0;
}

/** Deletes all webhooks of an application. */
export async function deleteWebhooksOfApp(sql: Sql, appId: string, now: number): Promise<void> {
  await sql.execute({
    text: `
      with deleted as (delete from webhook where app_id = $1 returning app_id, id)
      insert into removed_webhook (app_id, id, removed_at)
      select app_id, id, to_timestamp($2::float8 / 1000) from deleted`,
    values: [appId, now],
  });
}

export type Subscription = { app_id: string; id: string; events: string[]; accepts_from: number };

/** The events that webhooks of an application subscribe to, in any status; deleted webhooks are left out. */
export function listWantedEvents(
  sql: Sql,
  appId: string,
  ids: readonly string[],
): Promise<Pick<Subscription, 'id' | 'events'>[]> {
  return sql.query({
    name: 'list_wanted_events',
    text: 'select id, events from webhook where app_id = $1 and id = any ($2::uuid[])',
    values: [appId, ids],
  });
}

/** Applications with webhooks, in any status, by id, and when the first was created (milliseconds). */
export async function listAppsWithWebhooks(
  sql: Sql,
  after: string | undefined,
  limit: number,
): Promise<{ appId: string; since: number }[]> {
  return sql.query({
    name: 'list_apps_with_webhooks',
    text: `
      select app_id as "appId", min(created_at) as since from webhook
      where $1::uuid is null or app_id > $1 group by app_id order by app_id limit $2`,
    values: [after ?? null, limit],
  });
}

/** Webhooks that take events of the applications: active ones, and those that were active until they are verified again. */
export function listSubscriptions(sql: Sql, appIds: readonly string[]): Promise<Subscription[]> {
  return sql.query<Subscription>({
    name: 'list_subscriptions',
    text: `
      select app_id, id, events, accepts_from from webhook
      where app_id = any ($1::uuid[])
        and (status = ${WebhookStatus.ACTIVE} or (status = ${WebhookStatus.UNVERIFIED} and resuming))`,
    values: [appIds],
  });
}

export function jsonOrNull(value: JsonObject | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toWebhooks(rows: JsonValue[]): Webhook[] {
  return rows.map((row) => fromJson(WebhookSchema, row));
}
