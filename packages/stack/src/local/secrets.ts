import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

const SECRET_NAMES = [
  'rpc_secret',
  'admin_token',
  'nonce_secret',
  'webhook_key',
  'push_key',
  'content_secret',
  'postgres_password',
] as const;

export type Secrets = Record<(typeof SECRET_NAMES)[number], string>;

/** Reads the secrets, and creates those that are missing. */
export function obtainSecrets(file: string): Secrets {
  const known = readJsonFile<Partial<Secrets>>(file) ?? {};
  const entries = SECRET_NAMES.map(
    (name) => [name, known[name] ?? randomBytes(32).toString('base64url')] as const,
  );
  const secrets = Object.fromEntries(entries) as Secrets;
  if (SECRET_NAMES.some((name) => known[name] === undefined)) writeJsonFile(file, secrets);
  return secrets;
}
