import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { startInterval } from '../clock/index.ts';
import type { Logger } from '../telemetry/log.ts';

/** PEM. `ca` has the authorities whose certificates are trusted; `cert` and `key` are those of this process. */
export type TlsFiles = { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };

/** Certificates that are replaced from time to time. */
export type TlsSource = {
  current(): TlsFiles;
  /** Calls `fn` with every later set; the result ends that. */
  onChange(fn: (files: TlsFiles) => void): () => void;
};

export type TlsFolder = TlsSource & { stop(): void };

/** Names of the files: those of the Secrets that cert-manager writes. */
export const TLS_FILES = { ca: 'ca.crt', cert: 'tls.crt', key: 'tls.key' } as const;

const CHECK_EVERY_MS = 2_000;

/**
 * Reads `ca.crt`, `tls.crt` and `tls.key` of a folder, and again every 2 s: a set that differs replaces the one in use, as soon as its key
 * and certificate belong together. Throws when the folder has no such set at first; later on the last good set stays in use.
 */
export function openTlsFolder(folder: string, log: Logger): TlsFolder {
  let files = readFiles(folder);
  const listeners = new Set<(files: TlsFiles) => void>();
  let failure: string | undefined;

  function check(): void {
    try {
      const read = readFiles(folder);
      failure = undefined;
      if (areEqual(read, files)) return;
      files = read;
      const { subject, validTo } = new X509Certificate(read.cert);
      log.info({ folder, subject, validTo }, 'certificates replaced; new connections use them');
      for (const fn of listeners) fn(read);
    } catch (error) {
      // A set that is being written is whole at the next check.
      if (String(error) !== failure)
        log.error({ error, folder }, 'failed to read certificates; the last ones stay in use');
      failure = String(error);
    }
  }

  return {
    current: () => files,
    onChange(fn) {
      listeners.add(fn);
      return () => void listeners.delete(fn);
    },
    stop: startInterval(CHECK_EVERY_MS, check),
  };
}

/** End of a certificate, in milliseconds since the epoch. */
export function expiryOf({ cert }: TlsFiles): number {
  return new X509Certificate(cert).validToDate.getTime();
}

function readFiles(folder: string): TlsFiles {
  const [ca, cert, key] = [TLS_FILES.ca, TLS_FILES.cert, TLS_FILES.key].map((name) =>
    readFileSync(path.join(folder, name)),
  );
  const files = { ca: ca!, cert: cert!, key: key! };
  // Throws for what is no certificate, and for a key of another one.
  createSecureContext(files);
  return files;
}

function areEqual(one: TlsFiles, other: TlsFiles): boolean {
  return one.ca.equals(other.ca) && one.cert.equals(other.cert) && one.key.equals(other.key);
}
