import { chown, copyFile, chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { owner } from './unprivileged.ts';

const FILES = ['ca.crt', 'tls.crt', 'tls.key'];

/** Copies the files of a TLS folder into the data folder, since Postgres takes only a key that belongs to its user. */
export async function copyCertificates(tlsFolder: string, dataDir: string): Promise<void> {
  const as = owner();
  for (const name of FILES) {
    const file = path.join(dataDir, name);
    await copyFile(path.join(tlsFolder, name), file);
    await chmod(file, 0o600);
    if (as) await chown(file, as.uid, as.gid);
  }
  const rules = path.join(dataDir, 'tls_hba.conf');
  await writeFile(rules, 'hostssl all all 127.0.0.1/32 scram-sha-256\n', { mode: 0o644 });
}

/** Settings of a server that takes connections with TLS alone. */
export function tlsSettings(dataDir: string): Record<string, string> {
  return {
    ssl: 'on',
    ssl_ca_file: 'ca.crt',
    ssl_cert_file: 'tls.crt',
    ssl_key_file: 'tls.key',
    hba_file: path.join(dataDir, 'tls_hba.conf'),
  };
}

/** The address with TLS: the server's certificate has to be one of the authority in the folder, and to have its name. */
export function withTls(url: string, tlsFolder: string): string {
  const secure = new URL(url);
  secure.searchParams.set('sslmode', 'verify-full');
  secure.searchParams.set('sslrootcert', path.join(tlsFolder, 'ca.crt'));
  return secure.href;
}
