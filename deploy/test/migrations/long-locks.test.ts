import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lastRelease, listReleased } from '@parley/stack/release';
import { describeWith } from '@parley/testing';
import { REPOSITORY } from '../render.ts';
import { findLongLocks, findUncompleted, listCreated, type Migration } from './long-locks.ts';

const tables = { partitioned: new Set(['change']), created: new Set(['fresh']) };
const find = (text: string) => findLongLocks({ name: '0001_test', text }, tables);

test.each([
  'create table another (id uuid primary key, app_id uuid references app)',
  'create index fresh_at on fresh (at)',
  'update fresh set at = now()',
  'alter table fresh alter column at type text',
  'alter table message add column a text, add column b integer not null default 0, add column c timestamptz default now()',
  'alter table message drop column a, alter column b set default 1, alter column b drop not null',
  'alter table message add constraint positive check (a > 0) not valid',
  'alter table message add constraint of_app foreign key (app_id) references app not valid',
  'alter table message add constraint one unique using index message_one',
  'alter table message validate constraint positive',
  'create index change_at on only change (at)',
  `insert into setting values ('a')`,
  'insert into fresh select id from message',
  'drop index message_at; drop table message; alter table message rename to text',
  '-- no transaction\ndrop index concurrently if exists message_at;\ncreate index concurrently message_at on message (at)',
])('writes go on during %s', async (text) => {
  expect(await find(text)).toEqual([]);
});

test.each([
  ['create index message_at on message (at)', 'an index on message that is not created concurrently'],
  ['create unique index message_at on message (at)', 'an index on message that is not created concurrently'],
  ['create index message_at on only message (at)', 'an index on message that is not created concurrently'],
  ['create index change_at on change (at)', 'an index on change that is not created concurrently'],
  ['create index concurrently message_at on message (at)', 'needs the line "-- no transaction"'],
  ['alter table message add constraint positive check (a > 0)', 'AT_AddConstraint of message'],
  [
    'alter table message add constraint of_app foreign key (app_id) references app',
    'AT_AddConstraint of message',
  ],
  ['alter table message add constraint one unique (a)', 'AT_AddConstraint of message'],
  ['alter table message add primary key (a)', 'AT_AddConstraint of message'],
  ['alter table message add exclude using gist (a with =)', 'AT_AddConstraint of message'],
  ['alter table message alter column a type bigint', 'AT_AlterColumnType of message.a'],
  ['alter table message alter column a set not null', 'AT_SetNotNull of message.a'],
  ['alter table message add column a uuid default gen_random_uuid()', 'AT_AddColumn of message'],
  ['alter table message add column a timestamptz default clock_timestamp()', 'AT_AddColumn of message'],
  ['alter table message add column a bigserial', 'AT_AddColumn of message'],
  ['alter table message add column a integer generated always as (b + 1) stored', 'AT_AddColumn of message'],
  ['alter table message add column a integer generated always as identity', 'AT_AddColumn of message'],
  ['alter table message add column a integer unique', 'AT_AddColumn of message'],
  ['alter table message add column a integer check (a > 0)', 'AT_AddColumn of message'],
  ['alter table message add column a uuid references app', 'AT_AddColumn of message'],
  ['alter table message set unlogged', 'AT_SetUnLogged of message'],
  ['alter table message set tablespace fast', 'AT_SetTableSpace of message'],
  ['alter table change attach partition fresh default', 'AT_AttachPartition of change'],
  [
    'alter table message add constraint positive check (a > 0) not valid; alter table message validate constraint positive',
    'AT_ValidateConstraint of message',
  ],
  [
    'alter table message add column a integer; insert into fresh select id from message',
    'InsertStmt reads tables while others are locked',
  ],
  ['update message set a = 1', 'UpdateStmt locks rows of message'],
  ['delete from message', 'DeleteStmt locks rows of message'],
  ['lock table message', 'LockStmt may lock for long'],
  ['truncate message', 'TruncateStmt may lock for long'],
  ['cluster message', 'ClusterStmt may lock for long'],
  ['reindex table message', 'ReindexStmt may lock for long'],
  ['do $$ begin end $$', 'DoStmt may lock for long'],
  ['with gone as (delete from message returning id) select from gone', 'SelectStmt may lock for long'],
  [
    '-- no transaction\nalter table message add column a text',
    'AlterTableStmt waits for its lock without a limit',
  ],
])('writes wait for %s', async (text, reason) => {
  expect((await find(text)).join()).toContain(reason);
});

test('an index of a partitioned table alone needs a migration that gives it to the partitions that are there', async () => {
  const alone = { name: '0001_alone', text: 'create index change_at on only change (at)' };
  const everywhere = { name: '0002_everywhere', text: '-- no transaction\n-- complete index change_at\n' };
  expect(await findUncompleted([alone, everywhere], tables)).toEqual([]);
  expect(await findUncompleted([alone], tables)).toEqual([
    '0001_alone: partitions that are there do not get change_at: "-- complete index change_at" is missing',
  ]);
});

/** Findings that are no reason to worry, `<service> <migration>: <finding>`. Those of released migrations may be removed. */
const ALLOWED: Record<string, string> = {
  'identity 0017_acting_person.sql: an index on access_token that is not created concurrently stops writes while it is built':
    'Applications have a few access tokens each, which people create by hand: the table is small, and calls only read it.',
};

describeWith('history', 'migrations since the last release', () => {
  test('lock no table that the platform writes to for longer than a moment', async () => {
    const release = lastRelease();
    const folders = listReleased(release, 'services').map((folder) => `${folder}/migrations`);
    const released = new Set(folders.flatMap((folder) => listReleased(release, folder)));
    expect(released.size).toBeGreaterThan(30);
    const services = readdirSync(path.join(REPOSITORY, 'services'));
    const found = await Promise.all(services.map((service) => findIn(service, released)));
    expect(found.flat().filter((finding) => !Object.hasOwn(ALLOWED, finding))).toEqual([]);
  });

  async function findIn(service: string, released: ReadonlySet<string>): Promise<string[]> {
    const folder = path.join(REPOSITORY, 'services', service);
    if (!existsSync(path.join(folder, 'migrations'))) return [];
    const names = readdirSync(path.join(folder, 'migrations')).filter((name) => name.endsWith('.sql'));
    const migrations: Migration[] = names
      .filter((name) => !released.has(`services/${service}/migrations/${name}`))
      .map((name) => ({ name, text: readFileSync(path.join(folder, 'migrations', name), 'utf8') }));
    const schema = readFileSync(path.join(folder, 'schema.sql'), 'utf8');
    const partitioned = [...schema.matchAll(/^table (\S+) partition by /gm)].map(([, name]) => name!);
    const here = { partitioned: new Set(partitioned), created: new Set(await listCreated(migrations)) };
    const findings = migrations.map(async (one) =>
      (await findLongLocks(one, here)).map((finding) => `${service} ${one.name}: ${finding}`),
    );
    const uncompleted = (await findUncompleted(migrations, here)).map((finding) => `${service} ${finding}`);
    return [...(await Promise.all(findings)).flat(), ...uncompleted];
  }
});
