import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from '@connectrpc/connect';
import { serveFolder } from '../src/folder/serve.ts';
import { openFolder, type FolderStore } from '../src/folder/store.ts';
import { createUploader, describeContract, expectCode, newKey } from './contract.ts';

let folder: string;
let server: Server;
let store: FolderStore;
let now = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-blobs-'));
  server = createServer((req, res) => {
    serveFolder(store, (req.url ?? '').replace('/blobs', ''), { req, res, now: now || Date.now() }).catch(
      () => res.writeHead(500).end(),
    );
  });
  server.listen(0);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/blobs`;
  store = await openFolder({ root: path.join(folder, 'root'), url, secret: 'a secret of these tests' });
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describeContract('the folder driver', () => Promise.resolve(store));

test('an address does not outlive its time', async () => {
  const key = newKey();
  const uploader = createUploader(store, key);
  await uploader.append(Buffer.from('hello'), true);
  await uploader.complete();
  const expiresAt = Date.now() + 60_000;
  const url = await store.presign(key, { contentType: 'text/plain', expiresAt });
  expect((await fetch(url)).status).toBe(200);
  now = expiresAt;
  expect((await fetch(url)).status).toBe(403);
  now = 0;
});

test('a folder that goes away is an outage, is not made anew, and goes on when it is back', async () => {
  const uploader = createUploader(store, newKey());
  await uploader.append(Buffer.from('he'));
  const [root, away] = [path.join(folder, 'root'), path.join(folder, 'away')];
  await rename(root, away);
  await expectCode(uploader.append(Buffer.from('llo'), true), Code.Unavailable);
  await expectCode(store.begin(newKey(), { contentType: 'text/plain' }), Code.Unavailable);
  await expectCode(store.find(newKey()), Code.Unavailable);
  expect(await readdir(folder)).toEqual(['away']);
  await rename(away, root);
  await uploader.append(Buffer.from('llo'), true);
  await uploader.complete();
});
