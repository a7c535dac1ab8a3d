import fc, { type Arbitrary } from 'fast-check';
import { adminRequestsOf } from './admin-templates.ts';
import { bend } from './bend.ts';
import { headerCase, upgradeCase } from './header-cases.ts';
import { bentHeader, bentHeaders, bentSegment, GARBAGE, HEADERS, METHODS, mostly } from './pieces.ts';
import { oddIdCase } from './odd-ids.ts';
import { rowCase } from './row-cases.ts';
import { requestsOf } from './templates.ts';
import { bentJson, bentText, type JsonText } from './values.ts';
import type { World } from './world.ts';

export type Case =
  | { kind: 'http'; method: string; url: string; headers: Record<string, string>; body: string | undefined }
  /** Bytes of a connection that is ended after them; any answer will do. */
  | { kind: 'bytes'; bytes: string }
  /** An identity token with these parts, signed by the application's key, in a login. */
  | { kind: 'login'; header: JsonText; claims: JsonText }
  | { kind: 'packet'; packet: string };

/** A case of any kind; the same ones for the same seed, but for the ids of the world. */
export function createCases(world: World): Arbitrary<Case> {
  return fc.oneof(
    { weight: 50, arbitrary: rowCase(world) },
    { weight: 10, arbitrary: oddIdCase(world) },
    { weight: 25, arbitrary: packetCase(world) },
    { weight: 12, arbitrary: adminCase(world) },
    { weight: 8, arbitrary: contentCase(world) },
    { weight: 3, arbitrary: loginCase(world) },
    { weight: 2, arbitrary: bytesCase(world) },
    { weight: 8, arbitrary: headerCase(world) },
    { weight: 1, arbitrary: upgradeCase(world) },
  );
}

function packetCase(world: World): Arbitrary<Case> {
  const requests = fc
    .constantFrom(...requestsOf(world))
    .map((body) => ({ request_id: body.method, ...body }));
  const signal = {
    ...{ type: 'typing_indicator', object: { id: `svc:///conversations/${world.ids.conversation}` } },
    data: { action: 'started' },
  };
  const packet = fc.oneof(
    { weight: 5, arbitrary: requests.map((body) => ({ type: 'request', body })) },
    { weight: 1, arbitrary: fc.constant({ type: 'signal', body: signal }) },
  );
  const text = mostly(packet.chain(bend), fc.oneof(bentJson, fc.constantFrom(...GARBAGE)), 20);
  return text.map((given) => ({ kind: 'packet', packet: given }));
}

function adminCase(world: World): Arbitrary<Case> {
  const authorization = `Bearer ${world.platform.adminToken}`;
  return fc.constantFrom(...Object.entries(adminRequestsOf(world))).chain(([method, requests]) =>
    fc
      .record({
        body: mostly(
          fc.constantFrom(...requests).chain(bend),
          fc.oneof(bentJson, fc.constantFrom(...GARBAGE)),
          6,
        ),
        headers: mostly(fc.constant({}), bentHeaders, 6),
        type: mostly(
          fc.constant('application/json'),
          fc.constantFrom('application/proto', 'application/connect+json', 'x'),
        ),
      })
      .map(({ body, headers, type }) => ({
        ...{ kind: 'http' as const, method: 'POST', body },
        url: `${world.platform.baseUrl}/admin/rpc/${method}`,
        headers: { 'content-type': type, ...headers, authorization },
      })),
  );
}

const UPLOAD_HEADERS = [
  'content-range',
  'tus-resumable',
  'upload-offset',
  'upload-length',
  'content-type',
  'range',
  'if-range',
];
const UPLOAD_VALUES = [
  'bytes 0-4/5',
  'bytes */5',
  'bytes */*',
  'bytes 9-1/5',
  '1.0.0',
  '0',
  '5',
  '-1',
  'bytes=0-1',
  'bytes=9-',
  'bytes=-0',
];

function contentCase({ uploadUrl, downloadUrl }: World): Arbitrary<Case> {
  return fc
    .record({
      method: fc.constantFrom(...METHODS),
      url: mostly(
        fc.constantFrom(uploadUrl, downloadUrl),
        bentSegment.map((text) => uploadUrl.replace(/[^/]*$/, text)),
        6,
      ),
      headers: fc.dictionary(
        fc.constantFrom(...UPLOAD_HEADERS),
        mostly(fc.constantFrom(...UPLOAD_VALUES), bentHeader, 2),
        { maxKeys: 3 },
      ),
      body: fc.constantFrom('', 'hello', 'hello, and more', '{}'),
    })
    .map(({ method, url, headers, body }) => ({
      ...{ kind: 'http' as const, method, url, headers },
      body: method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? undefined : body,
    }));
}

function loginCase({ app, other }: World): Arbitrary<Case> {
  const now = Math.floor(Date.now() / 1000);
  const header = { typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: app.keyId };
  const claims = { iss: app.providerId, prn: other, iat: now, exp: now + 600, nce: 'x', display_name: 'A' };
  return fc.record({ kind: fc.constant('login' as const), header: bend(header), claims: bend(claims) });
}

function bytesCase({ platform, actor }: World): Arbitrary<Case> {
  const { host } = new URL(platform.baseUrl);
  const line = mostly(
    fc.constantFrom('GET / HTTP/1.1', 'POST /conversations HTTP/1.1', 'GET /websocket HTTP/1.1'),
    bentText,
    3,
  );
  const field = fc.oneof(
    fc.constantFrom(
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Upgrade: h2c',
      'Sec-WebSocket-Version: 13',
    ),
    fc.constantFrom(
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Key: x',
      'Sec-WebSocket-Protocol: svc-3.0',
    ),
    fc.constantFrom(
      'Content-Length: 5',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
    ),
    fc.constant(`Authorization: Svc session-token="${actor.token}"`),
    fc.tuple(fc.constantFrom(...HEADERS), bentText).map(([name, value]) => `${name}: ${value}`),
  );
  return fc
    .tuple(line, fc.array(field, { maxLength: 9 }), mostly(fc.constant(''), bentText, 2))
    .map(([first, fields, body]) => ({
      kind: 'bytes',
      bytes: `${[first, ...fields].join('\r\n')}\r\n\r\n${body}`,
    }));
}
