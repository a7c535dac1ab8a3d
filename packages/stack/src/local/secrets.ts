import { createHmac, randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

const SECRET_NAMES = [
  'rpc_secret',
  'admin_token',
  'nonce_secret',
  'webhook_key',
  'push_key',
  'content_secret',
  'postgres_password',
  'nats_secret',
] as const;

export type Secrets = Record<(typeof SECRET_NAMES)[number], string>;

/** The password of a user of NATS. */
export function natsPassword({ nats_secret: secret }: Secrets, user: string): string {
  return createHmac('sha256', secret).update(user).digest('base64url');
}

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
