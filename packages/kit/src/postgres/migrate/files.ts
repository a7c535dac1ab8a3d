import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Migration = { version: number; name: string; text: string; sha256: string };

const WITHOUT_TRANSACTION = /^-- no transaction$/m;
const FILE_NAME = /^(\d{4})_([a-z0-9][a-z0-9_-]*)\.sql$/;

/** The numbered `NNNN_name.sql` files of a folder, by version. Any other .sql file, or a repeated number, is an error. */
export async function readMigrations(dir: string | URL): Promise<Migration[]> {
  const folder = dir instanceof URL ? fileURLToPath(dir) : dir.startsWith('file:') ? fileURLToPath(dir) : dir;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)));
  migrations.forEach(({ version }, i) => {
    if (migrations[i - 1]?.version === version) throw new Error(`two migrations have the number ${version}`);
  });
  return migrations;
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const [, version, name] = FILE_NAME.exec(file) ?? [];
  if (!version || !name) throw new Error(`${file} is not named like 0001_first.sql`);
  const text = (await readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
  return { version: Number(version), name, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Whether the statements of a migration are run one by one, each outside of a transaction. */
export function isWithoutTransaction({ text }: Pick<Migration, 'text'>): boolean {
  return WITHOUT_TRANSACTION.test(text);
}

/** The texts to send one by one: several statements in one query would form one transaction. */
export function statementsOf(migration: Pick<Migration, 'text'>): string[] {
  return isWithoutTransaction(migration) ? migration.text.split(/;$/m) : [migration.text];
}

/**
 * Partitioned tables' indexes that a migration completes, from its lines `-- complete index <name>`: existing partitions get them after its
 * statements have run.
 */
export function indexesToComplete({ text }: Pick<Migration, 'text'>): string[] {
  return [...text.matchAll(/^-- complete index (\w+)$/gm)].map(([, name = '']) => name);
}
