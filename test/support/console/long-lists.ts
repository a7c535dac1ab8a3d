import pg from 'pg';
import { messagingUrl } from '../messaging-database.ts';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';

export type LongList = {
  /** Rows that were in the page at most, without the heading's. */
  mostRows: number;
  /** How many milliseconds each part took to be read, in their order. */
  readMs: number[];
};

type Databases = (database: string) => Promise<string>;

const SCROLL_MS = 240_000;

/** Users `user-000001` … of an application, by one statement, since calls would take minutes. */
export async function insertUsers(databases: Databases, appUuid: string, count: number): Promise<void> {
  await execute(await databases('parley_identity'), {
    text: `
      insert into identity (app_id, user_id, type, display_name)
      select $1::uuid, 'user-' || lpad(n::text, 6, '0'), 1, 'User ' || n from generate_series(1, $2::int) as n`,
    values: [appUuid, count],
  });
}

/** Conversations of an application, each with a participant of its own, who gives it its name. */
export async function insertConversations(
  databases: Databases,
  appUuid: string,
  count: number,
): Promise<void> {
  const uri = await messagingUrl(databases, appUuid);
  await execute(uri, {
    text: `
      with made as (
        insert into conversation (app_id, id, created_at, metadata, last_message_at, changed_at)
        select $1::uuid, gen_random_uuid(), at, '{}', at, at
        from (select now() - n * interval '1 second' as at from generate_series(1, $2::int) as n) times
        returning app_id, id, created_at
      ), counted as (
        insert into conversation_count (app_id, delta) values ($1, $2)
      )
      insert into participant (app_id, conversation_id, user_id, member, joined_seq, owed)
      select app_id, id, 'user-' || lpad((row_number() over (order by created_at desc))::text, 6, '0'), '{[1,)}', 1, '{}'
      from made`,
    values: [appUuid, count],
  });
}

async function execute(connectionString: string, query: { text: string; values: unknown[] }): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(query);
  await client.end();
}

/** Scrolls a list of the console to its end, where the text of the last row is in sight. */
export async function scrollToRow(page: Page, last: string): Promise<LongList> {
  await page.getByRole('row').nth(1).waitFor();
  await page.evaluate(WATCH);
  await until(
    `${last} is in sight`,
    async () => {
      const link = page.getByRole('link', { name: last, exact: true });
      return (await link.count()) > 0 || undefined;
    },
    SCROLL_MS,
  );
  return page.evaluate(RESULT) as Promise<LongList>;
}

/** Scrolls a list from its end to its top. */
export async function scrollToTop(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('.table').scrollTop = 0");
}

/** Scrolls to the end in each frame, and counts. It runs in the page. */
const WATCH = `
  window.mostRows = 0;
  performance.setResourceTimingBufferSize(5000);
  window.isWatching = true;
  const step = () => {
    if (!window.isWatching) return;
    const table = document.querySelector('.table');
    window.mostRows = Math.max(window.mostRows, document.querySelectorAll('.table-body .table-row').length);
    table.scrollTop = table.scrollHeight;
    requestAnimationFrame(step);
  };
  step();
`;
const RESULT = `(window.isWatching = false, {
  mostRows: window.mostRows,
  readMs: performance.getEntriesByType('resource')
    .filter(({ name }) => /SearchUsers|\\/conversations\\?/.test(name))
    .map(({ duration }) => duration),
})`;
