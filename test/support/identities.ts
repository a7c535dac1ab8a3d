import pg from 'pg';
import type { TestApp } from './app.ts';

/** The longest display name and avatar address: each character takes four bytes. */
export const LONGEST_NAME = '𝄞'.repeat(128);
export const LONGEST_AVATAR = '𝄞'.repeat(1024);

/** Identities stored by SQL: thousands of calls would take longer than the test itself. */
export async function insertIdentities(
  postgresUrl: string,
  app: TestApp,
  userIds: readonly string[],
  { displayName = null, avatarUrl = null }: { displayName?: string | null; avatarUrl?: string | null } = {},
): Promise<void> {
  const url = new URL(postgresUrl);
  url.pathname = '/parley_identity';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const text = `
    insert into identity (app_id, user_id, type, display_name, avatar_url)
    select $1::uuid, user_id, 1, $3, $4 from unnest($2::text[]) as u (user_id) on conflict do nothing`;
  await client.query(text, [app.appUuid, userIds, displayName, avatarUrl]);
  await client.query('analyze identity');
  await client.end();
}
