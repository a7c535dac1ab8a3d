import { createHash } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema, IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';
import { createTestApp, logIn, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';
import { findFlaw } from '../support/tokens.ts';

// docs/protocol/records.md#identity and docs/protocol/users.md#identities

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

type Fields = Omit<MessageInitShape<typeof IdentitySchema>, '$typeName' | '$unknown'>;

function identityOf(userId: string, fields: Fields = {}) {
  return create(IdentitySchema, { appId: app.uuid, userId, displayName: 'Somebody', ...fields });
}

function createIdentity(userId: string, fields?: Fields) {
  return platform.identity.createIdentity({ identity: identityOf(userId, fields) });
}

function replaceIdentity(userId: string, fields?: Fields) {
  return platform.identity.replaceIdentity({ identity: identityOf(userId, fields) });
}

function updateIdentity(userId: string, fields: Fields, names: string[]) {
  return platform.identity.updateIdentity({ identity: identityOf(userId, fields), fields: names });
}

async function find(userId: string) {
  return (await platform.identity.findIdentities({ appId: app.uuid, userIds: [userId] })).identities[0];
}

test('every field is kept', async () => {
  const fields = {
    type: IdentityType.BOT,
    displayName: 'Ada',
    avatarUrl: 'https://a.example/ada.png',
    firstName: 'Augusta',
    lastName: 'King',
    phoneNumber: '+44 20 1234',
    emailAddress: 'ada@a.example',
    publicKey: 'key',
    metadata: { rank: 'countess', '': 'odd key', nul: 'a\0b' },
  };
  const { identity } = await createIdentity('ada', fields);
  expect(identity).toMatchObject({ ...fields, userId: 'ada', version: 1, suspended: false, deleted: false });
  expect(await find('ada')).toEqual(identity);
});

test('an identity that exists is not created again, unless it was deleted', async () => {
  await createIdentity('twice');
  await expectProblem(createIdentity('twice'), 'conflict');
  await platform.identity.deleteIdentity({ appId: app.uuid, userId: 'twice' });
  expect((await createIdentity('twice')).identity).toMatchObject({ deleted: false, version: 3 });
});

test('of twenty concurrent creations one succeeds', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => createIdentity('contested')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('replacing an identity replaces every field, and needs a display name and an existing user', async () => {
  await createIdentity('grace', { firstName: 'Grace', metadata: { a: 'b' }, type: IdentityType.BOT });
  const { identity } = await replaceIdentity('grace', { displayName: 'Amazing' });
  expect(identity).toMatchObject({
    displayName: 'Amazing',
    metadata: {},
    type: IdentityType.USER,
    version: 2,
  });
  expect(identity?.firstName).toBeUndefined();
  await expectProblem(replaceIdentity('grace', { displayName: undefined }), 'missing_property', {
    property: 'display_name',
  });
  await expectProblem(createIdentity('new', { displayName: undefined }), 'missing_property', {
    property: 'display_name',
  });
  await expectProblem(replaceIdentity('nobody'), 'not_found');
});

test('an update changes the named fields and clears those that are absent', async () => {
  await createIdentity('tim', { firstName: 'Tim', lastName: 'Lee', metadata: { a: 'b' } });
  const { identity } = await updateIdentity('tim', { firstName: 'Timothy' }, ['first_name', 'last_name']);
  expect(identity).toMatchObject({
    displayName: 'Somebody',
    firstName: 'Timothy',
    metadata: { a: 'b' },
    version: 2,
  });
  expect(identity?.lastName).toBeUndefined();
  await expectProblem(updateIdentity('tim', {}, ['suspended']), 'invalid_property', {
    property: 'suspended',
  });
  await expectProblem(updateIdentity('nobody', {}, []), 'not_found');
});

test('one key of the metadata is set or deleted alone, up to the limit of keys', async () => {
  await createIdentity('keyed', { metadata: { a: '1', 'b.c': '2' } });
  const set = await updateIdentity('keyed', { metadata: { d: '3', 'e.f': '4' } }, [
    'metadata.d',
    'metadata.e\\.f',
  ]);
  expect(set.identity?.metadata).toEqual({ a: '1', 'b.c': '2', d: '3', 'e.f': '4' });
  const deleted = await updateIdentity('keyed', {}, ['metadata.a', 'metadata.b\\.c', 'metadata.unknown']);
  expect(deleted.identity?.metadata).toEqual({ d: '3', 'e.f': '4' });
  const keys = Array.from({ length: 15 }, (_, i) => `k${i}`);
  const metadata = Object.fromEntries(keys.map((key) => [key, '']));
  const tooMany = updateIdentity(
    'keyed',
    { metadata },
    keys.map((key) => `metadata.${key}`),
  );
  await expectProblem(tooMany, 'invalid_property', { property: 'metadata' });
});

test('metadata above a newer limit is kept and shown, is left out of events, and may shrink', async () => {
  await createIdentity('stuffed', { metadata: { a: 'x', b: 'y' } });
  const large = { a: 'x'.repeat(1_000_000), b: 'y'.repeat(3000) };
  await platform.db.execute({
    text: `update identity set metadata = $2 where app_id = $1 and user_id = 'stuffed'`,
    values: [app.uuid, JSON.stringify(large)],
  });
  expect((await find('stuffed'))?.metadata).toEqual(large);

  const listener = await listenToEvents(platform.bus, app.uuid);
  const renamed = await updateIdentity('stuffed', { displayName: 'Renamed' }, ['display_name']);
  expect(renamed.identity).toMatchObject({ displayName: 'Renamed', metadata: large });
  const published = () => listener.events.find(({ body }) => isOf(body, 'stuffed'))?.body;
  await until(published, { withinMs: 10_000, what: 'the change is published' });
  listener.close();
  expect(published()).toMatchObject({
    value: {
      identity: { displayName: 'Renamed', metadata: {} },
      metadataLeftOut: true,
      fields: ['display_name'],
    },
  });

  const grown = updateIdentity('stuffed', { metadata: { c: 'z' } }, ['metadata.c']);
  await expectProblem(grown, 'invalid_property', { property: 'metadata' });
  const shrunk = await updateIdentity('stuffed', {}, ['metadata.a']);
  expect(shrunk.identity?.metadata).toEqual({ b: large.b });
});

test('no caller sets version, suspension or deletion', async () => {
  const { identity } = await createIdentity('honest', { version: 99, suspended: true, deleted: true });
  expect(identity).toMatchObject({ version: 1, suspended: false, deleted: false });
  await platform.identity.setUserSuspended({ appId: app.uuid, userId: 'honest', suspended: true });
  expect((await replaceIdentity('honest')).identity).toMatchObject({ suspended: true });
});

test.each([
  ['display_name', { displayName: 'a'.repeat(129) }],
  ['first_name', { firstName: 'a'.repeat(129) }],
  ['last_name', { lastName: 'a'.repeat(129) }],
  ['avatar_url', { avatarUrl: 'a'.repeat(1025) }],
  ['phone_number', { phoneNumber: '1'.repeat(33) }],
  ['email_address', { emailAddress: 'a'.repeat(256) }],
  ['first_name', { firstName: 'a\0b' }],
  ['metadata', { metadata: { a: 'x'.repeat(2041) } }],
  ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, ''])) }],
  ['user_id', { userId: 'a\nb' }],
  ['user_id', { userId: '' }],
])('%s has limits', async (property, fields) => {
  await expectProblem(createIdentity('limited', fields), 'invalid_property', { property });
  expect(await find('limited')).toBeUndefined();
});

test('limits count characters, not bytes', async () => {
  const { identity } = await createIdentity('emoji', { displayName: '\u{1f642}'.repeat(128) });
  expect(identity?.displayName).toHaveLength(256);
});

test('a deleted identity keeps its ids and version, is found as deleted, and its sessions end', async () => {
  const session = await logIn(platform, app, 'gone', { display_name: 'Gone', first_name: 'Long' });
  await platform.identity.deleteIdentity({ appId: app.uuid, userId: 'gone' });
  expect(await find('gone')).toEqual(
    create(IdentitySchema, { appId: app.uuid, userId: 'gone', type: 1, version: 2, deleted: true }),
  );
  expect(await findFlaw(platform, session)).toBe('authentication_required');
  await expectProblem(platform.identity.deleteIdentity({ appId: app.uuid, userId: 'gone' }), 'not_found');
});

function isOf(body: Event['body'], userId: string): boolean {
  return body.case === 'identityChanged' && body.value.identity?.userId === userId;
}

test('the erasure of a user is published to other services, also when the identity is deleted already', async () => {
  const listener = await listenToEvents(platform.bus, app.uuid);
  await logIn(platform, app, 'erased', { display_name: 'Person' });
  await until(() => listener.events.some(({ body }) => isOf(body, 'erased')) || undefined, {
    withinMs: 10_000,
    what: 'the identity is published',
  });
  listener.events.length = 0;
  const erase = () => platform.identity.eraseUser({ appId: app.uuid, userId: 'erased' });
  const [first, again] = [await erase(), await erase()];
  expect(again.identity).toEqual(first.identity);
  const events = await listener.wait(4);
  listener.close();
  const kinds = events.map(({ body }) => body.case).sort();
  expect(kinds).toEqual(['identityChanged', 'sessionsEnded', 'userErased', 'userErased']);
  const versions = events.flatMap(({ body }) => (body.case === 'userErased' ? [body.value.version] : []));
  expect(versions).toEqual([3, 3]);
  expect(await find('erased')).toMatchObject({ deleted: true, version: 3, incarnation: 3 });
  expect(first.identity).toEqual(await find('erased'));
  const { entries } = await platform.admin.listAuditEntries({ appUuid: app.uuid });
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'user.erased', actor: 'server', subject: 'erased' },
    {},
  ]);
  await expectProblem(platform.identity.eraseUser({ appId: app.uuid, userId: 'nobody' }), 'not_found');
});

test('a user who logs in after an erasure, and their sessions, bear the new incarnation', async () => {
  const user = { appId: app.uuid, userId: 'returned' };
  const incarnationOf = async (token: string) => {
    const item = { kind: Caller_Kind.SESSION, tokenHash: createHash('sha256').update(token).digest() };
    const { results } = await platform.identity.resolveTokens({ items: [item] });
    const { outcome } = results[0]!;
    return outcome.case === 'caller' ? outcome.value.incarnation : undefined;
  };
  const before = await logIn(platform, app, 'returned', { display_name: 'Before' });
  expect(await incarnationOf(before)).toBe(0);
  const { identity: erased } = await platform.identity.eraseUser(user);
  expect(await incarnationOf(before)).toBeUndefined();
  const after = await logIn(platform, app, 'returned', { display_name: 'After' });
  expect(await incarnationOf(after)).toBe(erased!.incarnation);
  await platform.identity.deleteIdentity(user);
  const { identity: again } = await platform.identity.eraseUser(user);
  expect(again!.incarnation).toBeGreaterThan(erased!.incarnation);
  expect(again!.version).toBe(again!.incarnation);
});

test('unknown identities are left out, suspended ones are marked, and applications are separate', async () => {
  const other = await createTestApp(platform);
  await createIdentity('here');
  await platform.identity.setUserSuspended({ appId: app.uuid, userId: 'here', suspended: true });
  const userIds = ['here', 'unknown', 'here'];
  const { identities } = await platform.identity.findIdentities({ appId: app.uuid, userIds });
  expect(identities).toMatchObject([{ userId: 'here', suspended: true }]);
  expect((await platform.identity.findIdentities({ appId: other.uuid, userIds })).identities).toEqual([]);
  expect((await platform.identity.findIdentities({ appId: app.uuid, userIds: [] })).identities).toEqual([]);
});

test('each change emits an event, and a no-op emits none', async () => {
  const listener = await listenToEvents(platform.bus, app.uuid);
  await createIdentity('watched', { metadata: { a: '1', b: '2' } });
  await replaceIdentity('watched', { metadata: { b: '2', a: '1' } });
  await updateIdentity('watched', { displayName: 'Somebody' }, ['display_name']);
  await updateIdentity('watched', { displayName: 'Else' }, ['display_name', 'metadata']);
  await platform.identity.setUserSuspended({ appId: app.uuid, userId: 'watched', suspended: true });
  await platform.identity.deleteIdentity({ appId: app.uuid, userId: 'watched' });
  const events = await listener.wait(4);
  listener.close();
  const published = events.map(({ body }) => (body.case === 'identityChanged' ? body.value : undefined));
  expect(published.map((value) => [value?.identity?.version, value?.created, value?.fields])).toEqual([
    [1, true, ['display_name', 'metadata']],
    [2, false, ['display_name', 'metadata']],
    [3, false, ['suspended']],
    [4, false, ['display_name', 'suspended', 'deleted']],
  ]);
});
