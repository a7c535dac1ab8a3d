import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

const names = [
  'rpc_secret',
  'admin_token',
  'nonce_secret',
  'webhook_key',
  'content_secret',
  'postgres_password',
] as const;

export type Secrets = Record<(typeof names)[number], string>;

// Made once; a name that a later version adds is made when it is first missing.
export function obtainSecrets(file: string): Secrets {
  const known = readJsonFile<Partial<Secrets>>(file) ?? {};
  const entries = names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')] as const);
  const secrets = Object.fromEntries(entries) as Secrets;
  if (names.some((name) => known[name] === undefined)) writeJsonFile(file, secrets);
  return secrets;
}
