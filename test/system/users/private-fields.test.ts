import { createApp, identityUri, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

// docs/protocol/users.md#private-fields

const PHONE = '+44 20 7946 0018';
const EMAIL = 'ada@engines.example';
const FIELDS = ['phone_number', 'email_address'] as const;
const GIVEN: Record<string, string> = { phone_number: PHONE, email_address: EMAIL };
const SETTINGS: string[][] = [[], ['phone_number'], ['email_address'], [...FIELDS]];

let app: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = [await app.login('ada'), await app.login('bob')];
  await app.server('PATCH', '/users/ada/identity', 204, { body: GIVEN });
  for (const user of [ada, bob]) await user.call('PUT', '/following/users/ada', 204);
});

function openFields(value: unknown, status = 202) {
  const body = [{ operation: 'set', property: 'public_identity_fields', value }];
  return app.server('PATCH', '', status, { body });
}

/** Values for a reader who is shown only these fields. */
function shown(open: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(FIELDS.map((field) => [field, open.includes(field) ? GIVEN[field]! : null]));
}

function adaIn(identities: Json[]): Json {
  return identities.find(({ user_id }) => user_id === 'ada');
}

/** Every request whose answer has the identity of ada, as a user sends it. */
const CLIENT_DOORS: [name: string, read: (reader: TestUser) => Promise<Json>][] = [
  ['GET /identities/:user_id', async (reader) => (await reader.call('GET', '/identities/ada', 200)).body],
  ['GET /identities', async (reader) => adaIn((await reader.call('GET', '/identities', 200)).body)],
];

const SERVER_DOORS = ['/users/ada/identity', '/users/bob/identities/ada', '/users/ada/identities/ada'];

describe.each(SETTINGS.map((open) => ({ open })))('with $open open', ({ open }) => {
  beforeAll(() => openFields(open));

  test.each(CLIENT_DOORS)('another user reads these by %s', async (_, read) => {
    expect(await read(bob)).toMatchObject(shown(open));
  });

  test.each(CLIENT_DOORS)('the user reads both by %s', async (_, read) => {
    expect(await read(ada)).toMatchObject(GIVEN);
  });

  test.each(SERVER_DOORS)('the server reads both by %s', async (path) => {
    expect((await app.server('GET', path, 200)).body).toMatchObject(GIVEN);
  });

  test('the server reads both in lists and with the suspension', async () => {
    expect((await app.server('GET', '/users/ada', 200)).body.identity).toMatchObject(GIVEN);
    expect(adaIn((await app.server('GET', '/users/bob/identities', 200)).body)).toMatchObject(GIVEN);
  });
});

/** Values that the user's packets set the private fields to. */
function stepsOf(socket: TestSocket): [string, unknown][] {
  const updates = socket.packets.filter(isChange('update', 'Identity', identityUri('carol')));
  const steps = updates.flatMap(({ body }) => body.data as { property: string; value: unknown }[]);
  const isPrivate = ({ property }: { property: string }) => FIELDS.some((field) => field === property);
  return steps.filter(isPrivate).map(({ property, value }) => [property, value]);
}

describe('packets', () => {
  test.each([
    { open: [], expected: [] },
    { open: ['email_address'], expected: [['email_address', 'c@x.example']] },
  ])('of a changed identity tell others of $open, live and in a replay', async ({ open, expected }) => {
    await openFields(open);
    const carol = await app.login('carol');
    for (const user of [carol, bob]) await user.call('PUT', '/following/users/carol', 204);
    const [own, others] = [await carol.connect(), await bob.connect()];
    const body = { phone_number: null, email_address: null, display_name: 'Carol' };
    await app.server('PATCH', '/users/carol/identity', 204, { body });
    const from_timestamp = (await others.waitFor('the name', isNamed('Carol'))).timestamp;
    await own.waitFor('the name', isNamed('Carol'));
    const before = [stepsOf(own).length, stepsOf(others).length];

    const fields = { phone_number: '+44 2', email_address: 'c@x.example' };
    await app.server('PATCH', '/users/carol/identity', 204, { body: fields });
    await app.server('PATCH', '/users/carol/identity', 204, { body: { display_name: 'Caroline' } });
    for (const socket of [own, others]) await socket.waitFor('the next name', isNamed('Caroline'));
    expect(stepsOf(own).slice(before[0])).toEqual(Object.entries(fields));
    expect(stepsOf(others).slice(before[1])).toEqual(expected);

    const [again, ownAgain] = [await bob.connect(), await carol.connect()];
    for (const socket of [again, ownAgain])
      await socket.request('Event.replay', { data: { from_timestamp } });
    expect(new Map(stepsOf(again))).toEqual(new Map(expected as [string, string][]));
    expect(new Map(stepsOf(ownAgain))).toEqual(new Map(Object.entries(fields)));
    for (const socket of [own, others, again, ownAgain]) await socket.close();
  });

  test('no packet tells others that nothing but a private field changed', async () => {
    await openFields([]);
    const socket = await bob.connect();
    const before = socket.changes('Identity').length;
    await app.server('PATCH', '/users/ada/identity', 204, { body: { phone_number: '+44 3' } });
    await app.server('PATCH', '/users/ada/identity', 204, { body: { phone_number: PHONE } });
    await app.server('PATCH', '/users/ada/identity', 204, { body: { first_name: `Ada ${Date.now()}` } });
    await until('the first name', async () => socket.changes('Identity').length > before || undefined);
    const steps = socket
      .changes('Identity')
      .slice(before)
      .flatMap(({ data }) => data as Json[]);
    expect(steps.map(({ property }) => property)).toEqual(['first_name']);
    await socket.close();
  });

  test('a followed user who is new comes without the fields', async () => {
    await openFields([]);
    await app.server('POST', '/users/dora/identity', 201, { body: { display_name: 'Dora' } });
    await bob.call('PUT', '/following/users/dora', 204);
    await app.server('DELETE', '/users/dora/identity', 204);
    const socket = await bob.connect();
    await app.server('POST', '/users/dora/identity', 201, { body: { display_name: 'Dora', ...GIVEN } });
    const { body } = await socket.waitFor('dora', isChange('create', 'Identity', identityUri('dora')));
    expect(body.data).toMatchObject({ phone_number: null, email_address: null });
    await socket.close();
  });
});

function isNamed(name: string) {
  return ({ type, body }: { type: string; body: Json }) =>
    type === 'change' &&
    body.operation === 'update' &&
    (body.data as Json[]).some(({ property, value }) => property === 'display_name' && value === name);
}

test.each([
  [null, 'missing_property', '0.value'],
  ['phone_number', 'invalid_property', 'public_identity_fields'],
  [{}, 'invalid_property', 'public_identity_fields'],
  [['phone_number', 'phone_number'], 'invalid_property', 'public_identity_fields'],
  [['phone_number', 'display_name'], 'invalid_property', 'public_identity_fields'],
  [['PHONE_NUMBER'], 'invalid_property', 'public_identity_fields'],
  [[null], 'invalid_property', 'public_identity_fields'],
  [[['phone_number']], 'invalid_property', 'public_identity_fields'],
])('%j is not a list of fields', async (value, id, property) => {
  expect((await openFields(value, 422)).body).toMatchObject({ id, data: { property } });
});
