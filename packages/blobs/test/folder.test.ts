import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { serveFolder } from '../src/folder/serve.ts';
import { serveBlob } from '../src/serve-blob.ts';
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

test('an address expires', async () => {
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

test('a blob that is removed while it is opened is not found', async () => {
  const key = newKey();
  const uploader = createUploader(store, key);
  await uploader.append(Buffer.from('hello'), true);
  await uploader.complete();
  const read: FolderStore['read'] = async (...blob) => {
    const body = await store.read(...blob);
    await store.discard(key);
    return body;
  };
  const racing = createServer((req, res) => {
    serveBlob({ ...store, read }, { key, contentType: 'text/plain' }, { req, res }).catch((error: unknown) =>
      res.writeHead(ConnectError.from(error).code === Code.NotFound ? 404 : 500).end(),
    );
  });
  racing.listen(0);
  await once(racing, 'listening');
  const { port } = racing.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  racing.close();
});

test('a missing folder is an outage, is not created again, and works when it is back', async () => {
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
