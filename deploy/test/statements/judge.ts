import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint, parse } from 'libpg-query';
import { REPOSITORY } from '../render.ts';
import { ACROSS_APPS } from './across-apps.ts';
import { APP_TABLES } from './app-tables.ts';
import { mayLockAgain } from './locking.ts';
import { faultsBehindViews } from './views.ts';
import type { Recorded } from './recorded.ts';
import { routeOf, type Route } from './route.ts';

/** How many different statements take which route, and what is wrong, a text for each fault. */
export type Judgement = { counts: Map<Route, number>; faults: string[] };

/**
 * Judges the statements of a platform: each names the application for every table of applications, or is listed in `across-apps.ts`, none may
 * lock more rows than it says, and those of messaging work on views, too. docs/decisions/cells.md#statements-reach-shards-through-views
 * `isComplete`: all system tests have run, so a listed statement that was not sent is a fault too.
 */
export async function judge(recorded: Recorded, { isComplete }: { isComplete: boolean }): Promise<Judgement> {
  const judgement: Judgement = { counts: new Map(), faults: [] };
  const listed = new Set(ACROSS_APPS.flatMap(({ statements }) => statements.map(([key]) => key)));
  const sent = new Set<string>();
  for (const [database, { catalog, statements }] of recorded) {
    const service = database.replace('parley_', '');
    const appTables = new Set(APP_TABLES[service] ?? []);
    const known = await fingerprintsOfMigrations(database);
    for (const text of statements) {
      const print = await fingerprint(text);
      const key = `${service} ${print}`;
      if (known.has(print) || sent.has(key)) continue;
      sent.add(key);
      const route = await routeOf(text, { catalog, appTables });
      judgement.counts.set(route, (judgement.counts.get(route) ?? 0) + 1);
      if (route === 'all' && !listed.has(key)) judgement.faults.push(`${key} names no application:\n${text}`);
      if (service === 'messaging')
        for (const fault of await faultsBehindViews(text)) judgement.faults.push(`${key} ${fault}:\n${text}`);
      if (await mayLockAgain(text)) judgement.faults.push(`${key} may lock again for each row:\n${text}`);
    }
  }
  if (isComplete) {
    for (const key of listed) if (!sent.has(key)) judgement.faults.push(`${key} is listed, and was not sent`);
  }
  return judgement;
}

/** Migrations run once, before the tables are distributed. */
async function fingerprintsOfMigrations(database: string): Promise<Set<string>> {
  const folder = path.join(REPOSITORY, 'services', database.replace('parley_', ''), 'migrations');
  const found = new Set<string>();
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(path.join(folder, name));
    for (const { stmt_location: from = 0, stmt_len: length } of (await parse(bytes.toString())).stmts ?? []) {
      found.add(await fingerprint(bytes.subarray(from, length && from + length).toString()));
    }
  }
  return found;
}
