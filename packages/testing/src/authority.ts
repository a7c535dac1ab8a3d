import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';

/** PEM. */
export type Certificates = { ca: string; cert: string; key: string };

/** An authority that a test trusts. */
export type Authority = {
  /** A certificate for servers and clients, with the name, `localhost` and 127.0.0.1. */
  issue(name: string): Promise<Certificates>;
};

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;

export async function createAuthority(): Promise<Authority> {
  const ca = await generate([{ name: 'commonName', value: 'authority' }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return {
    async issue(name) {
      const altNames = [
        { type: 2, value: name },
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ] as const;
      const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
        ...EC,
        ca: { key: ca.private, cert: ca.cert },
        extensions: [
          { name: 'subjectAltName', altNames: [...altNames] },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        ],
      });
      return { ca: ca.cert, cert, key };
    },
  };
}

/** Writes the files of a TLS folder, which is made when it is missing: `ca.crt`, `tls.crt`, `tls.key`. */
export function writeCertificates(folder: string, { ca, cert, key }: Certificates): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const [name, text] of [
    ['ca.crt', ca],
    ['tls.crt', cert],
    ['tls.key', key],
  ] as const) {
    const file = path.join(folder, name);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
}
