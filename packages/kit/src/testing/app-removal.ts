import { randomUUID } from 'node:crypto';
import { until } from '@parley/testing';
import type { Database } from '../postgres/index.ts';
import { countAppRows, listAppTables, listSharedTables, seedEveryTable } from './app-rows.ts';

export type RemovalTest = {
  db: Database;
  /** Default: applications of which the service has nothing but these rows. */
  appIds?: { deleted: string; other: string };
  /** Deletes an application, as the service learns of it. */
  deleteApp(appId: string): Promise<unknown>;
  /** Advances a clock of the test. */
  pass?: () => void;
  /** Rows kept of a deleted application beside its tombstone: number by table. */
  kept?: Record<string, number>;
  /** Tables, such as queues, whose rows jobs may delete meanwhile also for living applications: the other application gets none there. */
  transient?: readonly string[];
};

/** Tables without a column for the application: people of the console, ids of events, rows that leave at once or within a day, and marks. */
const SHARED = [
  'app',
  'automation_token',
  'change_horizon',
  'console_session',
  'consumed_event',
  'database_epoch',
  'figure_process',
  'filled_stream',
  'journal_entry',
  'live_publisher',
  'milestone',
  'outbox',
  'performed_operation',
  'presence_gateway',
  'provider_key',
  'published_mark',
  'recent_event',
  'revocation_horizon',
  'schema_migration',
  'sign_in_code',
  'used_nonce',
  'worker',
];

/**
 * Puts rows of two applications into every table of a service's schema, deletes one of them, and waits until its removal is
 * done: of that one nothing is left but what is documented, and everything of the other one.
 */
export async function expectRemoval(test: RemovalTest): Promise<void> {
  const { db, pass = () => undefined, kept = {}, transient = [] } = test;
  const { deleted, other } = test.appIds ?? { deleted: randomUUID(), other: randomUUID() };
  const shared = (await listSharedTables(db)).filter((name) => !SHARED.includes(name));
  expect({ 'tables that do not say which application a row belongs to': shared }).toEqual({
    'tables that do not say which application a row belongs to': [],
  });
  await seedEveryTable(db, deleted);
  await seedEveryTable(db, other, transient);
  await test.deleteApp(deleted);
  const options = { withinMs: 30_000, what: 'the application is removed' };
  await until(async () => {
    pass();
    await db.execute({
      text: `update app_removal set due_at = '-infinity' where due_at > now() + interval '12 seconds'`,
    });
    // Tables are counted one after another: the removal is looked for when the deletion is known to be noted.
    const { app_tombstone: noted } = await countAppRows(db, deleted);
    if (noted !== 1) return undefined;
    const { app_removal: removing } = await countAppRows(db, deleted);
    return removing === undefined || undefined;
  }, options);
  expect(await countAppRows(db, deleted)).toEqual({ app_tombstone: 1, ...kept });
  const left = Object.keys(await countAppRows(db, other));
  const stay = (await listAppTables(db)).filter((name) => !transient.includes(name));
  expect(stay.filter((name) => !left.includes(name))).toEqual([]);
}
