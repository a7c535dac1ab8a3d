import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  createAuthority,
  describeWith,
  startCeph,
  startNats,
  startPostgres,
  writeCertificates,
  type TestCeph,
  type TestNats,
  type TestServer,
} from '@parley/testing';
import { createApp, type TestUser } from '../../support/app.ts';
import { KINDS } from '../../support/fleet.ts';
import { call } from '../../support/http.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

// docs/operations.md#tls

const PASSWORD = 'the password of all users';
const BUCKET = 'contents';

describeWith('ceph', 'with TLS everywhere and an object storage', () => {
  let folder: string;
  let nats: TestNats;
  let postgres: TestServer;
  let ceph: TestCeph;
  let own: OwnPlatform;
  let ada: TestUser;

  const at = (name: string): string => path.join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-tls-s3-'));
    const authority = await createAuthority();
    for (const name of [...KINDS, 'nats', 'postgres', 'store'])
      writeCertificates(at(name), await authority.issue(name));
    [nats, postgres, ceph] = await Promise.all([
      startNats({ tlsFolder: at('nats'), passwordOf: () => PASSWORD }),
      startPostgres({ tlsFolder: at('postgres') }),
      startCeph({ tlsFolder: at('store'), bucket: BUCKET }),
    ]);
    own = await ownPlatform({
      env: {
        ...Object.fromEntries(KINDS.map((name) => [name, settingsOf(name)])),
        '*': { PARLEY_NATS_URL: nats.url, PARLEY_NATS_PASSWORD: PASSWORD },
      },
    });
    ada = await (await createApp(own)).login('ada');
  }, 120_000);

  afterAll(async () => {
    await own?.stop();
    await Promise.all([nats?.stop(), postgres?.stop(), ceph?.kill()]);
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  function settingsOf(name: string): Record<string, string> {
    const url = new URL(postgres.url);
    url.pathname = `/parley_${name}`;
    return {
      PARLEY_TLS_FOLDER: at(name),
      ...(name !== 'gateway' && { PARLEY_DATABASE_URL: url.href }),
      ...(['content', 'export'].includes(name) && storeSettings()),
    };
  }

  /** An empty folder is none. */
  function storeSettings(): Record<string, string> {
    const { endpoint, accessKey, secretKey } = ceph.access;
    return {
      PARLEY_BLOB_FOLDER: '',
      PARLEY_S3_ENDPOINT: endpoint,
      PARLEY_S3_BUCKET: BUCKET,
      PARLEY_S3_ACCESS_KEY: accessKey,
      PARLEY_S3_SECRET_KEY: secretKey,
      PARLEY_S3_TLS_FOLDER: at('store'),
    };
  }

  test('an uploaded content is downloaded from the store by https', async () => {
    const bytes = randomBytes(300_000);
    const headers = { 'upload-content-type': 'image/png', 'upload-content-length': String(bytes.length) };
    const begun = (await ada.call('POST', '/content', 201, { headers })).body;
    const upload = await call('PUT', begun.upload_url, 200, {
      headers: { 'content-type': undefined },
      raw: bytes,
    });
    const redirect = await call('GET', upload.body.download_url, 302, { headers: { accept: undefined } });
    const { location = '' } = redirect.headers;
    expect(location).toContain(`${ceph.access.endpoint}/${BUCKET}/`);
    expect(ceph.access.endpoint).toMatch(/^https:/);
    const request = https.get(location, { ca: readFileSync(path.join(at('store'), 'ca.crt')) });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect((await buffer(answer)).equals(bytes)).toBe(true);
  });
});
