import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority, writeCertificates } from '@parley/testing';
import { createS3Client } from '../src/s3/client.ts';

test('the authority of a store is that of the folder at the time of a connection, or the last one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-s3-tls-'));
  const [before, after] = await Promise.all([createAuthority(), createAuthority()]);
  const first = await before.issue('store');
  const second = await after.issue('store');
  // Answers every request as S3 does for a bucket that exists; each is a connection of its own.
  const server = createServer(first, (_, response) => void response.setHeader('connection', 'close').end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { endpoint: `https://127.0.0.1:${port}`, region: 'r', bucket: 'bucket' };
  const keys = { accessKey: 'access', secretKey: 'secret' };
  writeCertificates(folder, first);
  const client = createS3Client({ ...options, ...keys, tlsFolder: folder });
  const unknowing = createS3Client({ ...options, ...keys });
  await expect(client.bucketExists('bucket')).resolves.toBe(true);
  await expect(unknowing.bucketExists('bucket')).rejects.toThrow(/certificate/);
  server.setSecureContext(second);
  await expect(client.bucketExists('bucket')).rejects.toThrow(/certificate/);
  writeCertificates(folder, second);
  await expect(client.bucketExists('bucket')).resolves.toBe(true);
  rmSync(path.join(folder, 'ca.crt'));
  await expect(client.bucketExists('bucket')).resolves.toBe(true);
  server.close();
  rmSync(folder, { recursive: true });
});
