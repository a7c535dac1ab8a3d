import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LONE_SEND, loneSendText } from './lone-send.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations');

/** The text of a migration that creates the function, from there on. */
function createdByMigration(): string | undefined {
  const texts = readdirSync(MIGRATIONS).map((name) => readFileSync(path.join(MIGRATIONS, name), 'utf8'));
  const text = texts.find((one) => one.includes(`create function ${LONE_SEND}(`));
  return text?.slice(text.indexOf('create function'));
}

test('the function in the database is made of the texts of the statements for many messages', () => {
  // A changed statement needs a migration with a function of another name: the last release calls this one.
  expect(createdByMigration()?.trim()).toBe(loneSendText().trim());
});

test('the function names no schema', () => {
  expect(loneSendText()).not.toMatch(/\b(?:public|parley)\./);
});
