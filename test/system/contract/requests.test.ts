import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
function base() {
  return app.baseUrl;
}

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
});

describe('content negotiation', () => {
  const refused: [string, string | undefined][] = [
    ['nothing', undefined],
    ['any type', '*/*'],
    ['plain JSON', 'application/json'],
    ['another version', 'application/vnd.svc+json; version=2.0'],
    ['no version', 'application/vnd.svc+json'],
    ['the type of webhooks', 'application/vnd.svc.webhooks+json; version=3.0'],
    ['something malformed', 'application/vnd.svc+json; version'],
  ];
  test.each(refused)('refuses an Accept header with %s', async (_name, accept) => {
    const { body } = await call('POST', `${base()}/nonces`, 406, { headers: { accept } });
    expect(body).toMatchObject({ id: 'invalid_header', code: 107, data: { header: 'Accept' } });
    expect(body.message).toContain('application/vnd.svc+json; version=3.0');
  });

  const taken: [string, string][] = [
    ['without spaces', 'application/vnd.svc+json;version=3.0'],
    ['with spaces', '  application/vnd.svc+json ;  version=3.0 '],
    ['with another case', 'Application/Vnd.Svc+JSON; VERSION=3.0'],
    ['in a list', 'text/html, application/vnd.svc+json; version=3.0;q=0.5, */*'],
    ['with a quoted parameter', 'application/vnd.svc+json; version="3.0"'],
  ];
  test.each(taken)('takes the media type %s', async (_name, accept) => {
    const { headers } = await call('POST', `${base()}/nonces`, 201, { headers: { accept } });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('asks no Accept of ping and of the root', async () => {
    await call('GET', `${base()}/ping`, 200, { headers: { accept: undefined } });
    await call('HEAD', `${base()}/ping`, 200, { headers: { accept: undefined } });
    await call('GET', `${base()}/`, 204, { headers: { accept: undefined } });
  });
});

test('an unknown expectation is ignored, by uploads too', async () => {
  const expecting = { expect: 'miracles' };
  await askPlainly('GET', `${base()}/ping`, { headers: expecting, status: 200 });
  const upload = { 'upload-content-type': 'text/plain', 'upload-content-length': '4' };
  const { body } = await ada.call('POST', '/content', 201, { headers: upload });
  await askPlainly('PUT', body.upload_url, { headers: expecting, status: 200, body: 'text' });
});

type Plain = { headers: Record<string, string>; status: number; body?: string };

/** A request that undici refuses to send. Fails unless the answer has this status, and a request id as always. */
async function askPlainly(method: string, url: string, { headers, status, body }: Plain): Promise<void> {
  const asked = request(url, { method, headers });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect([response.statusCode, response.headers['x-request-id']]).toEqual([status, expect.any(String)]);
}

describe('bodies', () => {
  test('a body that is not JSON is invalid_request', async () => {
    const { body } = await ada.call('POST', '/conversations', 400, { raw: '{"participants": [' });
    expect(body).toMatchObject({ id: 'invalid_request', code: 10 });
  });

  test('a body of the wrong kind is invalid_request', async () => {
    const { body } = await ada.call('POST', '/conversations', 400, { body: [] });
    expect(body).toMatchObject({ id: 'invalid_request', code: 10 });
  });

  test('a body over 1 MB is refused', async () => {
    const raw = JSON.stringify({ participants: ['ada'], metadata: { a: 'x'.repeat(1_048_576) } });
    const { body } = await ada.call('POST', '/conversations', 413, { raw });
    expect(body).toMatchObject({ id: 'request_entity_too_large', code: 11 });
  });

  test.each(['[]', '{}'])('a body %s on GET is ignored', async (raw) => {
    await ada.call('GET', '/conversations', 200, { raw });
  });

  test('a nonce needs no body, with or without a content type', async () => {
    await call('POST', `${base()}/nonces`, 201, { headers: { 'content-type': undefined } });
    await call('POST', `${base()}/nonces`, 201);
  });
});

describe('paths and methods', () => {
  test('a path that does not exist is invalid_endpoint', async () => {
    const { body } = await ada.call('GET', '/nowhere', 404);
    expect(body).toMatchObject({ id: 'invalid_endpoint', code: 106 });
  });

  test('a known path with another method names those allowed', async () => {
    const { body, headers } = await ada.call('PUT', '/conversations', 405);
    expect(body).toMatchObject({ id: 'method_not_allowed', code: 109 });
    expect(headers['allow']?.split(/,\s*/)).toEqual(expect.arrayContaining(['GET', 'POST']));
  });

  test('POST with X-HTTP-Method-Override stands for that method', async () => {
    const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
    await ada.call('POST', `/conversations/${body.id.split('/').pop()}`, 204, {
      headers: { 'x-http-method-override': 'DELETE' },
      body: {},
    });
  });
});

describe('errors', () => {
  test('have every key, and a url that can be opened', async () => {
    const { body } = await ada.call('GET', `/conversations/${randomUUID()}`, 404);
    expect(Object.keys(body).sort()).toEqual(['code', 'data', 'id', 'message', 'url']);
    const page = await call('GET', body.url.replace(/#.*/, ''), 200, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('not_found');
  });

  test('a missing token is answered with a fresh nonce that can be used', async () => {
    const { body } = await call('GET', `${base()}/conversations`, 401);
    expect(body).toMatchObject({ id: 'authentication_required', code: 4 });
    const identity_token = await app.identityToken('nina', { nonce: body.data.nonce });
    await call('POST', `${base()}/sessions`, 201, { body: { identity_token, app_id: app.appId } });
  });
});

describe('request ids', () => {
  test('are taken over when valid', async () => {
    const { headers } = await call('GET', `${base()}/ping`, 200, {
      headers: { 'x-request-id': 'my-request-1' },
    });
    expect(headers['x-request-id']).toBe('my-request-1');
  });

  test('are generated when missing or invalid', async () => {
    const { headers } = await call('GET', `${base()}/ping`, 200, {
      headers: { 'x-request-id': 'x'.repeat(500) },
    });
    expect(headers['x-request-id']).toMatch(/^[\w-]{8,128}$/);
  });
});

describe('the root', () => {
  test('links to everything', async () => {
    const { headers } = await call('GET', `${base()}/`, 204, { headers: { accept: undefined } });
    for (const rel of ['nonces', 'sessions', 'conversations', 'content', 'websocket']) {
      expect(headers['link']).toMatch(new RegExp(`<[^>]+>; rel=${rel}(,|$)`));
    }
  });

  test('checks an Authorization header', async () => {
    const headers = { authorization: 'Svc session-token="nonsense"', accept: undefined };
    await call('GET', `${base()}/`, 401, { headers });
    await ada.call('GET', '/', 204, { headers: { accept: undefined } });
  });
});

describe('authorization', () => {
  test.each(['"', "'", ''])('takes the session token in %j', async (quote) => {
    const authorization = `Svc session-token=${quote}${ada.token}${quote}`;
    await call('GET', `${base()}/conversations`, 200, { headers: { authorization } });
  });

  test('the client API accepts no bearer token, and the server API no session', async () => {
    await call('GET', `${base()}/conversations`, 401, {
      headers: { authorization: `Bearer ${app.accessToken}` },
    });
    await app.server('GET', '/conversations', 401, {
      headers: { authorization: `Svc session-token="${ada.token}"` },
    });
  });
});

describe('CORS', () => {
  const origin = 'https://chat.example';
  test('a preflight allows what browsers send', async () => {
    const { headers } = await call('OPTIONS', `${base()}/conversations`, 204, {
      headers: {
        accept: undefined,
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers['access-control-allow-headers']?.toLowerCase()).toContain('idempotency-key');
    expect(headers['access-control-allow-methods']).toContain('PATCH');
  });

  test('an answer, an error too, is readable by the origin', async () => {
    const { headers } = await call('GET', `${base()}/conversations`, 401, { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(origin);
    for (const name of ['Svc-Count', 'Link', 'Location', 'Retry-After', 'RateLimit', 'X-Request-Id']) {
      expect(headers['access-control-expose-headers']).toContain(name);
    }
    expect(headers['vary']).toContain('Origin');
  });
});

describe('paging', () => {
  test.each(['0', '-1', 'many'])('page_size=%s is refused', async (size) => {
    const { body } = await ada.call('GET', `/conversations?page_size=${size}`, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'page_size' } });
  });

  test('a page_size above the maximum is reduced to it', async () => {
    await ada.call('GET', '/conversations?page_size=100000', 200);
  });

  test('an unknown from_id is refused', async () => {
    const { body } = await ada.call('GET', `/conversations?from_id=${randomUUID()}`, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'from_id' } });
  });
});
