import fc, { type Arbitrary } from 'fast-check';
import { bend } from './bend.ts';
import type { Case } from './cases.ts';
import { bentHeaders, bentSegment, GARBAGE, METHODS, mostly } from './pieces.ts';
import { bodiesOf } from './templates.ts';
import { bentJson } from './values.ts';
import type { Operation, World } from './world.ts';

const MEDIA_TYPES = [
  'application/vnd.svc+json; version=3.0',
  'application/vnd.svc.webhooks+json; version=3.0',
];

/** A request for a row of the API. */
export function rowCase(world: World): Arbitrary<Case> {
  return fc.constantFrom(...world.operations).chain((operation) =>
    fc
      .record({
        method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS)),
        path: pathOf(world, operation.path),
        query: mostly(fc.constant(''), queryString, 1),
        headers: headersOf(world, operation),
        body: bodyOf(world, operation),
      })
      .map(({ method, path, query, headers, body }) => ({
        ...{ kind: 'http' as const, method, headers },
        url: `${world.platform.baseUrl}${path}${query}`,
        body: method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? undefined : body,
      })),
  );
}

function pathOf(world: World, path: string): Arbitrary<string> {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? fc.constant(segment) : mostly(idsFor(world, name), bentSegment);
  });
  return fc.tuple(...segments).map((given) => given.join('/'));
}

/** Ids for the placeholder of a path; only `other` is a user whom requests may destroy. */
export function idsFor({ app, ids, other }: World, name: string): Arbitrary<string> {
  if (name === 'app_uuid') return fc.constant(app.appUuid);
  if (name.endsWith('user_id'))
    return fc.constantFrom(other, encodeURIComponent(`svc:///identities/${other}`));
  const kind = name.replace(/_id$/, '');
  const known =
    kind === 'message' ? [ids.message, ids.received] : kind in ids ? [ids[kind as keyof typeof ids]] : [];
  const others = [...Object.values(ids), '01990000-0000-7000-8000-000000000000'];
  return fc.constantFrom(...(known.length > 0 ? [...known, ...known, ...known] : []), ...others);
}

const PARAMETERS = [
  'page_size',
  'from_id',
  'sort_by',
  'mode',
  'leave',
  'status',
  'since',
  'user',
  'session_token',
  'filename',
];
const VALUES = [
  '1',
  '100',
  'my_devices',
  'all_participants',
  'true',
  'false',
  'last_message',
  'dead',
  'created_at',
];

const queryString = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom(...PARAMETERS), mostly(fc.constantFrom(...VALUES), bentSegment, 1))
        .map(([name, value]) => `${name}=${value}`),
      fc.tuple(bentSegment, bentSegment).map(([name, value]) => `${name}[]=${value}`),
      fc.constantFrom('&&', '=', '%', '?', 'a=%ff', '__proto__=1', 'page_size[]=1', 'mode=a&mode=b'),
    ),
    { maxLength: 3 },
  )
  .map((parameters) => `?${parameters.join('&')}`);

export function headersOf({ app, actor }: World, { auth }: Operation): Arbitrary<Record<string, string>> {
  const authorization =
    auth === 'bearer' ? `Bearer ${app.accessToken}` : `Svc session-token="${actor.token}"`;
  const usual = {
    ...{ accept: MEDIA_TYPES.join(', '), 'content-type': 'application/json', authorization },
    ...{ 'upload-content-type': 'text/plain', 'upload-content-length': '5' },
    'upload-content-filename': 'B%C3%BCro.txt',
  };
  return mostly(fc.constant({}), bentHeaders, 3).map((bent) => ({ ...usual, ...bent }));
}

function bodyOf(world: World, { path }: Operation): Arbitrary<string> {
  const bodies = bodiesOf(world);
  const word = path.split('/').findLast((segment) => Object.hasOwn(bodies, segment)) ?? '';
  const fitting = fc.constantFrom(...(bodies[word] ?? []));
  const any = fc.constantFrom(...Object.values(bodies).flat());
  return mostly(mostly(fitting, any, 6).chain(bend), fc.oneof(bentJson, fc.constantFrom(...GARBAGE)), 6);
}
