import fc, { type Arbitrary } from 'fast-check';
import type { Case } from './cases.ts';
import { headersOf, idsFor } from './row-cases.ts';
import { requestsOf, bodiesOf } from './templates.ts';
import type { World } from './world.ts';

/** Ids of users and devices that something may take for more than a name. */
const ODD_IDS: readonly string[] = [
  ...[
    '.',
    '..',
    '...',
    '%2e',
    '%2e%2e',
    '/',
    '//',
    '\\',
    '?',
    '#',
    ';',
    '..;/',
    ' ',
    'a ',
    '\u00a0',
    '\u202e',
  ],
  ...[
    'svc:///identities/',
    'svc:///identities/..',
    'svc:///identities/%2e%2e',
    'svc:///identities/%',
    'svc:///',
  ],
  ...[
    'svc:///messages/x',
    'other:///identities/x',
    'SVC:///identities/x',
    'é:///x',
    ':///x',
    'svc:/identities/x',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'recipient_status.x',
    'a\\.b',
    'e\u0301',
    'é',
  ],
  ...[
    'a'.repeat(256),
    'a'.repeat(257),
    '💥'.repeat(256),
    '💥'.repeat(257),
    '\ud800',
    'x\udc00',
    '\0',
    'a\nb',
  ],
];

/** A request, a packet or a login in which odd ids name users and devices, in each place that takes one. */
export function oddIdCase(world: World): Arbitrary<Case> {
  return fc.oneof(
    { weight: 6, arbitrary: requestCase(world) },
    { weight: 3, arbitrary: packetCase(world) },
    { weight: 1, arbitrary: loginCase(world) },
  );
}

function oddId({ other, actor }: World): Arbitrary<string> {
  const uris = [other, actor.id].map((userId) => `svc:///identities/${encodeURIComponent(userId)}`);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ODD_IDS) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_IDS).map(uriOf) },
    { weight: 1, arbitrary: fc.constantFrom(...uris, ...uris.map(uriOf)) },
  );
}

function uriOf(userId: string): string {
  return `svc:///identities/${encodeURIComponent(userId.toWellFormed())}`;
}

function requestCase(world: World): Arbitrary<Case> {
  return fc.constantFrom(...world.operations).chain((operation) => {
    const { method, path } = operation;
    const segments = path.split('/').map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) return fc.constant(segment);
      if (!/(user|device)_id$/.test(name)) return idsFor(world, name);
      return oddId(world).map((id) => encodeURIComponent(id.toWellFormed()));
    });
    const bodies = bodiesOf(world);
    const word = path.split('/').findLast((one) => Object.hasOwn(bodies, one)) ?? '';
    const body = fc.constantFrom(...(bodies[word] ?? [{}])).chain((usual) => renamed(world, usual));
    return fc
      .record({ path: fc.tuple(...segments), headers: headersOf(world, operation), body })
      .map((given) => ({
        ...{ kind: 'http' as const, method, headers: given.headers },
        url: world.platform.baseUrl + given.path.join('/'),
        body: method === 'GET' || method === 'HEAD' ? undefined : given.body,
      }));
  });
}

function packetCase(world: World): Arbitrary<Case> {
  return fc
    .constantFrom(...requestsOf(world))
    .chain((body) => renamed(world, { type: 'request', body: { request_id: body.method, ...body } }))
    .map((packet) => ({ kind: 'packet', packet }));
}

function loginCase(world: World): Arbitrary<Case> {
  const { app } = world;
  const now = Math.floor(Date.now() / 1000);
  const header = JSON.stringify({ typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid: app.keyId });
  const claims = { iss: app.providerId, iat: now, exp: now + 600, nce: 'x', display_name: 'A' };
  return oddId(world).map((prn) => ({ kind: 'login', header, claims: JSON.stringify({ ...claims, prn }) }));
}

/** The JSON of a body in which every user and device has an odd id. */
function renamed({ other, actor, ...world }: World, body: unknown): Arbitrary<string> {
  const users = new Set<string>([other, actor.id, actor.uri]);
  const text = JSON.stringify(body);
  const names = [...users].map((name) => JSON.stringify(name));
  return oddId({ other, actor, ...world }).map((id) => {
    let bent = text.replaceAll('"device_id":"d"', `"device_id":${JSON.stringify(id)}`);
    for (const name of names) bent = bent.replaceAll(name, () => JSON.stringify(id));
    return bent;
  });
}
