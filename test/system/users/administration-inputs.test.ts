import { adminRequestsOf } from '../../../lab/fuzz/admin-templates.ts';
import { bendEach } from '../../../lab/fuzz/bend.ts';
import { findFault } from '../../../lab/fuzz/requests.ts';
import { createApp, type TestApp } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

const PATH = '/admin/rpc/';
const REQUESTS_AT_ONCE = 16;

let own: OwnPlatform;
let victim: TestApp;
let description: Json;

beforeAll(async () => {
  own = await ownPlatform();
  victim = await createApp(own, 'victim');
  description = (await call('GET', `${own.baseUrl}/openapi.json`, 200)).body;
}, 120_000);
afterAll(() => own.stop());

test('requests with every property of every method are tried with wrong values', () => {
  const requests = adminRequestsOf({ victim, other: 'a' });
  expect(Object.keys(requests).sort()).toEqual(
    methods()
      .map(({ name }) => name)
      .sort(),
  );
  const untried = methods().flatMap(({ name, schema }) => {
    const tried = new Set(requests[name]?.flatMap((request) => placesIn(request)));
    return placesOf(schema).flatMap((place) => (tried.has(place) ? [] : [`${name} ${place}`]));
  });
  expect(untried).toEqual([]);
});

test('no number and no text in a request is answered with an internal error', async () => {
  const bodies = Object.entries(adminRequestsOf({ victim, other: 'a' })).flatMap(([name, requests]) =>
    requests.flatMap((request) => bendEach(request).map((body) => ({ name, body }))),
  );
  const faults: string[] = [];
  const answers = new Map<string, number>();
  const take = async (): Promise<void> => {
    for (let next = bodies.pop(); next; next = bodies.pop()) {
      const fault = await tryBody(next, (answer) => answers.set(answer, (answers.get(answer) ?? 0) + 1));
      if (fault !== undefined) faults.push(`${next.name} ${next.body.slice(0, 500)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, take));
  expect(faults).toEqual([]);
  // With far fewer, the requests are refused before they reach the code that they are to try.
  expect(answers.get('200')).toBeGreaterThan(1_000);
}, 300_000);

describe('AfterRestore', () => {
  const since = Date.now() - 3_600_000;
  const id = '01990000-0000-7000-8000-000000000000';

  test('takes every step, page by page, and says when all is done', async () => {
    const ada = await victim.login('ada');
    await victim.login('bob');
    await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
    const done: string[] = [];
    let next = { step: '', cursor: '' };
    do {
      const { body } = await afterRestore(200, { since, ...next });
      done.push(body.done);
      next = { step: body.step, cursor: body.cursor };
    } while (next.step !== '');
    expect([...new Set(done)]).toEqual([
      ...['events', 'journal', 'versions', 'identities', 'blocks', 'memberships'],
      ...['contents', 'released contents'],
    ]);
    // The two users are a page, after which there is an empty one.
    expect(done.filter((step) => step === 'identities')).toHaveLength(2);
  });

  test.each([-1, 0.5, 8.64e15 + 1, 1e308, 'Infinity', '-Infinity', 'NaN'])(
    'refuses since %j',
    async (wrong) => {
      const { body } = await afterRestore(400, { since: wrong, step: 'contents' });
      expect(body.code).toBe('invalid_argument');
      expect(body.message).toBe('since must be a time in milliseconds since 1970.');
    },
  );

  test('refuses a request without since', async () => {
    expect((await afterRestore(400, {})).body.message).toBe('since is required.');
  });

  test('refuses an unknown step', async () => {
    expect((await afterRestore(400, { since, step: 'x' })).body.message).toBe(notOfAnAnswer('step'));
  });

  test.each([
    ['journal', 'x'],
    ['journal', 'journal/2026-01-01/\0.jsonl'],
    ['journal', `journal/../${id}.jsonl`],
    ['identities', 'x'],
    ['identities', '["x","y"]'],
    ['identities', JSON.stringify([id])],
    ['identities', JSON.stringify([id, 'a\0'])],
    ['identities', JSON.stringify([id, '\ud800'])],
    ['blocks', JSON.stringify([id, 'a', 'b\0'])],
    ['blocks', JSON.stringify(['', '', ''])],
    ['memberships', JSON.stringify([id, 'y'])],
    ['contents', JSON.stringify([id, id, 'NaN'])],
    ['contents', JSON.stringify([id, id, '-1'])],
    ['contents', JSON.stringify([id, id, '9'.repeat(40)])],
    ['contents', JSON.stringify([id, id])],
    ['released contents', '{}'],
    ['released contents', JSON.stringify([id, id, '1'])],
  ])('refuses for the step %s the cursor %j', async (step, cursor) => {
    const { body } = await afterRestore(400, { since, step, cursor });
    expect(body.message).toBe(notOfAnAnswer('cursor'));
  });

  function afterRestore(expected: number, body: object) {
    const headers = { accept: undefined, authorization: `Bearer ${own.adminToken}` };
    const url = `${own.baseUrl}${PATH}parley.recovery.v1.RecoveryService/AfterRestore`;
    return call('POST', url, expected, { headers, body });
  }

  function notOfAnAnswer(property: string): string {
    return `${property} is not that of an answer.`;
  }
});

function tryBody({ name, body }: { name: string; body: string }, note: (answer: string) => void) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${own.adminToken}` };
  return findFault(
    { note },
    { kind: 'http', method: 'POST', url: `${own.baseUrl}${PATH}${name}`, headers, body },
  );
}

/** The methods of the administration API that the running gateway describes, with the schemas of their requests. */
function methods(): { name: string; schema: Json }[] {
  return Object.entries(description.paths as Record<string, Json>)
    .filter(([path]) => path.startsWith(PATH))
    .map(([path, { post }]) => ({
      name: path.slice(PATH.length),
      schema: post.requestBody.content['application/json'].schema,
    }));
}

/** Paths to the properties that a schema allows, such as `roles.app_id`. */
function placesOf(schema: Json, prefix = ''): string[] {
  if (schema.$ref) return placesOf(description.components.schemas[schema.$ref.split('/').at(-1)], prefix);
  if (schema.items) return placesOf(schema.items, prefix);
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, one]) => [
    `${prefix}${name}`,
    ...placesOf(one, `${prefix}${name}.`),
  ]);
}

/** Paths to the properties that a request has. */
function placesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => placesIn(one, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    `${prefix}${name}`,
    ...placesIn(one, `${prefix}${name}.`),
  ]);
}
