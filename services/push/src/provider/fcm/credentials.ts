import { createPrivateKey } from 'node:crypto';
import { isFields } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';

/** The kept properties of a Google service account. Its `token_uri` is not: it would be an address of the tenant's choice. */
export type FcmCredentials = { projectId: string; clientEmail: string; privateKey: string };

/** Reads the JSON file of a service account. Problems: missing_property, invalid_property. */
export function parseServiceAccount(text: string): FcmCredentials {
  const file = readJson(text);
  const projectId = read(file, 'project_id');
  const clientEmail = read(file, 'client_email');
  const privateKey = read(file, 'private_key');
  if (!/^[a-z][a-z0-9:.-]{2,99}$/.test(projectId)) refuse('project_id', 'is not the id of a project.');
  if (!/^[^@\s]{1,200}@[^@\s]{1,200}$/.test(clientEmail)) refuse('client_email', 'is not an address.');
  if (!isRsaKey(privateKey)) refuse('private_key', 'is not an RSA private key in PEM.');
  return { projectId, clientEmail, privateKey };
}

function readJson(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isFields(file)) return file;
  } catch {
    // Refused below.
  }
  return fail('invalid_property', {
    property: 'service_account',
    message: 'service_account must be the JSON file of a service account.',
  });
}

function read(file: Record<string, unknown>, name: string): string {
  const value = file[name];
  return typeof value === 'string' ? value : refuse(name, 'is missing.');
}

function refuse(name: string, rule: string): never {
  const property = `service_account.${name}`;
  return fail('invalid_property', { property, message: `${property} ${rule}` });
}

function isRsaKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}
