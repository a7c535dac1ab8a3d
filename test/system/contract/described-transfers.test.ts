import { adminCall, createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { readOpenApi, type OpenApi } from '../../support/contract/document.ts';
import { call, type Call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

const UPLOAD = '/uploads/{upload_token}';
const DOWNLOAD = '/downloads/{app_uuid}/{content_id}';
const CHUNK = 262_144;
const TUS = { 'tus-resumable': '1.0.0', accept: undefined };

let app: TestApp;
let ada: TestUser;
let api: OpenApi;

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  api = readOpenApi((await call('GET', `${app.baseUrl}/openapi.json`, 200)).body);
});

/** The address of a new upload of so many bytes. */
async function begin(size: number): Promise<string> {
  const headers = { 'upload-content-type': 'image/png', 'upload-content-length': String(size) };
  return (await ada.call('POST', '/content', 201, { headers })).body.upload_url;
}

/** Sends a request to an address of a content, and expects what the document describes at `path`. */
async function transfer(
  request: { method: string; path: string; url: string },
  expected: number,
  options: Call,
) {
  const { method, path, url } = request;
  const answer = await call(method, url, expected, options);
  expect(api.problemOf({ method, path }, { status: expected, body: answer.body })).toBeUndefined();
  return answer;
}

function bytes(start: number, end: number, size: number): Call {
  return {
    headers: { 'content-range': `bytes ${start}-${end - 1}/${size}`, 'content-type': undefined },
    raw: Buffer.alloc(end - start),
  };
}

test('uploads in chunks and status queries are answered as they are described', async () => {
  const size = CHUNK + 10;
  const url = await begin(size);
  const upload = { method: 'PUT', path: UPLOAD, url };
  const query = { headers: { 'content-range': `bytes */${size}` } };
  await transfer(upload, 308, query);
  const { headers } = await transfer(upload, 308, bytes(0, CHUNK, size));
  expect(headers['range']).toBe(`bytes=0-${CHUNK - 1}`);
  await transfer(upload, 400, bytes(CHUNK + 5, size, size));
  const { body } = await transfer(upload, 200, bytes(CHUNK, size, size));
  await transfer(upload, 200, query);
  await transfer({ ...upload, method: 'DELETE' }, 400, {});
  await transfer({ method: 'GET', path: DOWNLOAD, url: body.download_url.replace(/=[^=]*$/, '=x') }, 403, {});
});

test('uploads by tus are answered as they are described', async () => {
  const url = await begin(20);
  const upload = { method: 'PATCH', path: UPLOAD, url };
  const append = { ...TUS, 'content-type': 'application/offset+octet-stream' };
  await transfer({ ...upload, method: 'HEAD' }, 200, { headers: TUS });
  await transfer({ ...upload, method: 'HEAD' }, 412, { headers: { ...TUS, 'tus-resumable': '0.2.2' } });
  await transfer(upload, 415, { headers: { ...TUS, 'upload-offset': '0' }, raw: Buffer.alloc(5) });
  const first = { headers: { ...append, 'upload-offset': '0' }, raw: Buffer.alloc(5) };
  const { headers } = await transfer(upload, 204, first);
  expect(headers['upload-offset']).toBe('5');
  await transfer(upload, 409, first);
  await transfer({ ...upload, method: 'DELETE' }, 204, { headers: TUS });
  await transfer({ ...upload, method: 'DELETE' }, 410, { headers: TUS });
});

test('the administration API answers as it is described', async () => {
  const path = '/admin/rpc/parley.identity.v1.AdminService';
  const found = await adminCall(app.platform, 'GetApp', { app_uuid: app.appUuid });
  expect(
    api.problemOf({ method: 'POST', path: `${path}/GetApp` }, { status: 200, body: found }),
  ).toBeUndefined();
  const users = await adminCall(app.platform, 'SearchUsers', { app_uuid: app.appUuid, page_size: 10 });
  expect(
    api.problemOf({ method: 'POST', path: `${path}/SearchUsers` }, { status: 200, body: users }),
  ).toBeUndefined();
  const headers = { accept: undefined, authorization: `Bearer ${app.platform.adminToken}` };
  const missing = { headers, body: { app_uuid: '01990000-0000-7000-8000-000000000001' } };
  const { body } = await call('POST', `${app.baseUrl}${path}/GetApp`, 404, missing);
  expect(api.problemOf({ method: 'POST', path: `${path}/GetApp` }, { status: 404, body })).toBeUndefined();
});
