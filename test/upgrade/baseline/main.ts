import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportPKCS8 } from 'jose';
import { startPlatform } from '@parley/stack/platform';
import { lastRelease, obtainRelease } from '@parley/stack/release';
import { REPOSITORY } from '@parley/stack/config';
import { freePort } from '@parley/testing';
import { startReleases } from '../../support/releases.ts';
import { dumpDatabase } from './database.ts';
import { observe, useTypically } from './typical-use.ts';

// `npm run generate -- baseline`: runs the last release that CHANGELOG.md names, uses it, and writes what it stored into the folder of
// its version.

const release = lastRelease();
const target = path.join(import.meta.dirname, release.version);
const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-baseline-'));
const env = { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } };
function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

report(`Baseline of ${release.version}, commit ${release.commit}`);
rmSync(target, { recursive: true, force: true });
const releases = startReleases(await obtainRelease(release));
try {
  const used = await use();
  await dump();
  cpSync(path.join(dataDir, 'blobs'), path.join(target, 'blobs'), { recursive: true });
  cpSync(path.join(dataDir, 'secrets.json'), path.join(target, 'secrets.json'));
  writeFileSync(path.join(target, 'seen.json'), `${JSON.stringify(used, undefined, 2)}\n`);
} finally {
  releases.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
report(`Written to ${path.relative(REPOSITORY, target)}`);

async function use(): Promise<object> {
  const options = { dataDir, port: await freePort(), demo: false, env, catalog: releases.catalog };
  const running = await startPlatform(options);
  try {
    const platform = { baseUrl: running.baseUrl, adminToken: running.state.admin_token };
    const { app, exportKey } = await useTypically(platform);
    const { appUuid, appId, providerId, keyId, accessToken } = app;
    const credentials = { appUuid, appId, providerId, keyId, accessToken };
    const seen = await observe(platform, app);
    return {
      credentials: { ...credentials, privateKey: await exportPKCS8(app.privateKey) },
      exportKey,
      seen,
    };
  } finally {
    await running.stop();
  }
}

/** Dumps a platform of which only the databases run, so that nothing changes meanwhile. */
async function dump(): Promise<void> {
  const running = await startPlatform({ dataDir, port: await freePort(), demo: false, catalog: [] });
  try {
    for (const service of readdirSync(path.join(REPOSITORY, 'services'))) {
      const url = new URL(running.state.postgres_url);
      url.pathname = `/parley_${service}`;
      await dumpDatabase(url.href, path.join(target, service));
    }
  } finally {
    await running.stop();
  }
}
