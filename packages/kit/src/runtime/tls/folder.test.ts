import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority, until, writeCertificates, type Authority } from '@parley/testing';
import { createLogger } from '../telemetry/log.ts';
import { expiryOf, openTlsFolder, type TlsFolder } from './folder.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let folder: string;
let authority: Authority;
let opened: TlsFolder | undefined;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
  authority = await createAuthority();
  writeCertificates(folder, await authority.issue('first'));
});
afterEach(() => {
  opened?.stop();
  rmSync(folder, { recursive: true });
});

test('a replaced set is in use within seconds, once key and certificate belong together', async () => {
  opened = openTlsFolder(folder, log);
  const got: string[] = [];
  opened.onChange(({ cert }) => void got.push(cert.toString()));
  const next = await authority.issue('next');
  writeFileSync(path.join(folder, 'tls.key'), next.key);
  const last = await authority.issue('last');
  writeFileSync(path.join(folder, 'tls.crt'), last.cert);
  const withKey = () => (opened!.current().key.toString() === last.key ? true : undefined);
  writeFileSync(path.join(folder, 'tls.key'), last.key);
  await until(withKey, { withinMs: 10_000, what: 'the last set is in use' });
  expect(opened.current().cert.toString()).toBe(last.cert);
  expect(got.at(-1)).toBe(last.cert);
  expect(expiryOf(opened.current())).toBeGreaterThan(Date.now());
});

test('a folder without a usable set is refused at the start', async () => {
  const other = await authority.issue('other');
  writeFileSync(path.join(folder, 'tls.key'), other.key);
  expect(() => openTlsFolder(folder, log)).toThrow(/key values mismatch/);
  rmSync(path.join(folder, 'tls.key'));
  expect(() => openTlsFolder(folder, log)).toThrow(/ENOENT/);
});
