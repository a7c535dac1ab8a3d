import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint, parse } from 'libpg-query';
import { REPOSITORY } from '../render.ts';
import { ACROSS_SHARDS } from './across-apps.ts';
import { placementsOf, readDistributions } from './distribution.ts';
import { mayLockAgain } from './locking.ts';
import type { Recorded } from './recorded.ts';
import { routeOf, type Route } from './route.ts';

/** How many different statements take which route, and what is wrong, a text for each fault. */
export type Judgement = { counts: Map<Route, number>; faults: string[] };

/**
 * Judges the statements of a platform: each names the application for every distributed table, or is listed in `across-shards.ts`, and
 * none may lock more rows than it says.
 * `isComplete`: all system tests have run, so a listed statement that was not sent is a fault too.
 */
export async function judge(recorded: Recorded, { isComplete }: { isComplete: boolean }): Promise<Judgement> {
  const distributions = await readDistributions();
  const judgement: Judgement = { counts: new Map(), faults: [] };
  const listed = new Set(ACROSS_SHARDS.flatMap(({ statements }) => statements.map(([key]) => key)));
  const sent = new Set<string>();
  for (const [database, { catalog, statements }] of recorded) {
    const distribution = distributions.get(database);
    if (!distribution) throw new Error(`distribute.sql has no section for ${database}`);
    const placements = placementsOf(distribution);
    const known = await fingerprintsOfMigrations(database);
    for (const text of statements) {
      const print = await fingerprint(text);
      const key = `${database.replace('parley_', '')} ${print}`;
      if (known.has(print) || sent.has(key)) continue;
      sent.add(key);
      const route = await routeOf(text, { catalog, placements });
      judgement.counts.set(route, (judgement.counts.get(route) ?? 0) + 1);
      if (route === 'all shards' && !listed.has(key))
        judgement.faults.push(`${key} names no application:\n${text}`);
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
