import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';

/** `id` is null when no valid token has that hash. */
export type TokenRow = {
  id: string | null;
  app_id: string;
  user_id: string | null;
  expires_at: number | null;
  app_suspended: boolean;
  allowed_origins: string[] | null;
  inline_body_bytes: number;
  public_identity_fields: string[];
  user_directory: string;
  /** The incarnation of the session's user; null for an access token. */
  incarnation: number | null;
  /** Access of a token that a person of the console got; null for other tokens. */
  access: 'read' | 'write' | null;
  reads_content: boolean | null;
  origin: string | null;
  actor_issuer: string | null;
  actor_subject: string | null;
  actor_role: string | null;
};

export type TokenQuery = { isSession: boolean; hash: Uint8Array };

/** Resolves tokens: a row for each query, in order. */
export function resolveTokens(sql: Sql, queries: TokenQuery[], now: number): Promise<TokenRow[]> {
  return sql.query<TokenRow>({
    name: 'resolve_tokens',
    text: `
      select case when app.id is not null then coalesce(session.id, token.id) end as id,
        app.id as app_id, session.user_id, coalesce(session.expires_at, token.expires_at) as expires_at,
        app.suspended as app_suspended, app.allowed_origins, app.inline_body_bytes, app.public_identity_fields,
        app.user_directory,
        identity.incarnation,
        token.access, token.reads_content, token.origin, token.actor_issuer, token.actor_subject,
        token.actor_role
      from unnest($1::boolean[], $2::bytea[]) with ordinality as item (is_session, hash, number)
      left join session on item.is_session and session.token_hash = item.hash
        and session.expires_at > to_timestamp($3 / 1000.0)
      left join access_token as token on not item.is_session and token.token_hash = item.hash
        and (token.expires_at is null or token.expires_at > to_timestamp($3 / 1000.0))
      left join ${lookUp('identity', 'identity', 'identity.app_id = session.app_id and identity.user_id = session.user_id')}
        on true
      left join app on app.id = coalesce(session.app_id, token.app_id) and app.deleted_at is null
      order by item.number`,
    values: [queries.map((query) => query.isSession), queries.map((query) => Buffer.from(query.hash)), now],
  });
}
