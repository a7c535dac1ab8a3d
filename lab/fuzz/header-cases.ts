import { readFileSync } from 'node:fs';
import fc, { type Arbitrary } from 'fast-check';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

/** Every header that the platform reads, from the table of their lengths, so that a new one is tried without a word here. */
const LIMITS = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const ROWS = [...LIMITS.matchAll(/^\| `([A-Za-z-]+)` +\| [\d,]+ +\|/gm)];
const NAMES = [...ROWS.map(([, name = '']) => name.toLowerCase()), 'x-forwarded-for', 'forwarded'];

/** Beginnings of values by which a parser takes them for its own. */
const BEGINNINGS = [
  ...[
    '',
    '"',
    'application/vnd.svc+json; version=3.0',
    'application/vnd.svc+json; version="3.0',
    'Bearer ',
    'bytes ',
  ],
  ...[
    'Svc session-token=',
    "Svc session-token='",
    'bytes=',
    'W/"',
    'svc-3.1, ',
    'a=',
    'gzip;q=0.5, ',
    '1.0.0',
    '0',
  ],
  ...['https://', '203.0.113.1, ', 'permessage-deflate; ', '00-', 'Thu, 26 Nov 2026 20:00:00 GMT'],
];

/** Elements of lists, openings without an end, escapes, white space and bytes that are no ASCII. */
const PIECES = [
  ...[
    '"',
    '\\"',
    '\\',
    "'",
    ',',
    ';',
    '=',
    ' ',
    '\t',
    ', ',
    '; ',
    '%',
    '%ff',
    '(',
    '[',
    '<',
    '-',
    '/',
    ':',
    '*',
    '.',
  ],
  ...[
    'a',
    '1',
    '9',
    'a,',
    'a;',
    'a=b;',
    'a="b',
    '";',
    '",',
    '*/*,',
    'a/b;c="d,',
    ';q=0',
    ';q=',
    'gzip,',
    '0-1,',
  ],
  ...['W/"a",', 'svc-token.', 'xn--', '\xa0', '\xad', '\xe9', '\xff', 'session-token=', 'Bearer '],
];

/** Lengths from one character to as many as fit into a request. */
const LENGTHS = [1, 60, 127, 128, 129, 255, 256, 512, 513, 1_024, 1_025, 4_096, 4_097, 16_384, 28_000];

const repeated = fc
  .tuple(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }), fc.constantFrom(...LENGTHS))
  .map(([pieces, length]) =>
    pieces
      .join('')
      .repeat(Math.ceil(length / pieces.join('').length))
      .slice(0, length),
  );
const mixed = fc.array(fc.constantFrom(...PIECES), { maxLength: 200 }).map((pieces) => pieces.join(''));

/** A value of any length; a server cuts white space off its ends. */
export const hostileValue: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...BEGINNINGS),
    fc.oneof(repeated, mixed),
    fc.constantFrom('', 'x', '"', '\\', ';', ','),
  )
  .map((parts) => parts.join(''));

type Door = { method: string; url: string; headers: Record<string, string>; body?: string };

/** A way in for each part of the platform that reads headers. */
function doorsOf({ platform, app, actor, ids, uploadUrl, downloadUrl }: World): Door[] {
  const { baseUrl, adminToken } = platform;
  const accept = 'application/vnd.svc+json; version=3.0';
  const user = { accept, authorization: `Svc session-token="${actor.token}"` };
  const server = { accept, authorization: `Bearer ${app.accessToken}` };
  const admin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  const length = {
    ...{ 'upload-content-type': 'text/plain', 'upload-content-length': '5' },
    'upload-content-filename': 'B%C3%BCro.txt',
  };
  return [
    { method: 'GET', url: `${baseUrl}/`, headers: {} },
    { method: 'POST', url: `${baseUrl}/nonces`, headers: { accept } },
    { method: 'GET', url: `${baseUrl}/conversations`, headers: { accept } },
    { method: 'GET', url: `${baseUrl}/conversations/${ids.conversation}/messages`, headers: user },
    { method: 'POST', url: `${baseUrl}/content`, headers: { ...user, ...length } },
    {
      ...{ method: 'POST', url: `${baseUrl}/apps/${app.appUuid}/conversations`, headers: server },
      body: JSON.stringify({ participants: [actor.id] }),
    },
    { method: 'GET', url: `${baseUrl}/openapi.json`, headers: {} },
    { method: 'GET', url: `${baseUrl}/docs/nothing`, headers: { accept: 'text/html' } },
    { method: 'GET', url: `${baseUrl}/console/session`, headers: {} },
    {
      ...{
        method: 'POST',
        url: `${baseUrl}/admin/rpc/parley.identity.v1.AdminService/ListApps`,
        headers: admin,
      },
      body: '{}',
    },
    { method: 'PUT', url: uploadUrl, headers: { 'content-range': 'bytes */5' } },
    { method: 'HEAD', url: uploadUrl, headers: tus },
    { method: 'GET', url: downloadUrl, headers: { range: 'bytes=0-1' } },
  ];
}

/** A request with a hostile header or two. */
export function headerCase(world: World): Arbitrary<Case> {
  const headers = fc.dictionary(
    fc.constantFrom(...NAMES.filter((name) => name !== 'upgrade')),
    hostileValue,
    {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    },
  );
  return fc.tuple(fc.constantFrom(...doorsOf(world)), headers).map(([door, hostile]) => ({
    ...{ kind: 'http' as const, method: door.method, url: door.url, body: door.body },
    headers: { ...door.headers, ...hostile },
  }));
}

/** The head of an upgrade with a hostile header, as bytes. */
export function upgradeCase({ platform, actor }: World): Arbitrary<Case> {
  const { host } = new URL(platform.baseUrl);
  const usual = {
    ...{ host, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'svc-3.1' },
    authorization: `Svc session-token="${actor.token}"`,
  };
  return fc.tuple(fc.constantFrom(...NAMES), hostileValue).map(([name, value]) => {
    const fields = Object.entries({ ...usual, [name]: value }).map(([key, text]) => `${key}: ${text}`);
    return { kind: 'bytes', bytes: `${['GET /websocket HTTP/1.1', ...fields].join('\r\n')}\r\n\r\n` };
  });
}
