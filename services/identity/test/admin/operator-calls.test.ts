import { encodeActor } from '@parley/domain/actor';
import { expectProblem } from '@parley/domain/testing/problems';
import { runInContext } from '@parley/kit/runtime/request-context';
import { until } from '@parley/testing';
import { startIdentity, type Platform } from '../support/platform.ts';

// docs/console.md#the-audit-log

const DAY_MS = 86_400_000;
const PERSON = { issuer: 'https://id.example.com', subject: 'ada' };
const CALL = {
  actor: 'admin',
  method: 'AdminService/CreateApp',
  subject: '',
  namesUser: false,
};

let platform: Platform;
let serial = 0;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

/** Makes calls as a gateway does for a person, with the entry that was written before. */
function as<T>(entryId: string | undefined, work: () => Promise<T>): Promise<T> {
  serial += 1;
  return runInContext(
    { requestId: `request-${serial}`, actor: encodeActor({ person: PERSON, entryId }) },
    work,
  );
}

const begin = async (call: object = {}) =>
  (await as(undefined, () => platform.console.beginOperatorCall({ call: { ...CALL, ...call } }))).id;
const newest = async (pageSize: number) => (await platform.admin.listAuditEntries({ pageSize })).entries;

test('a call without an end is unknown, and names the person and the request', async () => {
  const id = await begin({ subject: 'a\0b\ud800', objectId: 'no uuid' });
  const [entry] = await newest(1);
  expect(entry).toMatchObject({
    id,
    action: 'AdminService/CreateApp',
    method: 'AdminService/CreateApp',
    outcome: 'unknown',
    actorIssuer: PERSON.issuer,
    actorSubject: 'ada',
    requestId: `request-${serial}`,
    subject: 'a\uFFFDb\uFFFD',
  });
  expect(entry?.objectId).toBeUndefined();
});

test('ends once: a later end changes nothing', async () => {
  const id = await begin();
  await platform.console.endOperatorCall({ id, outcome: 'refused', code: 'conflict' });
  await platform.console.endOperatorCall({ id, outcome: 'done', code: '' });
  expect((await newest(1))[0]).toMatchObject({ id, outcome: 'refused', code: 'conflict' });
});

test('the action that a call makes completes its entry, in the transaction of the action', async () => {
  const id = await begin();
  const { app } = await as(id, () => platform.admin.createApp({ name: 'one', environment: 'test' }));
  expect((await newest(1))[0]).toMatchObject({ id, action: 'app.created', outcome: 'done' });
  // A later step of the same call failed.
  await platform.console.endOperatorCall({ id, outcome: 'failed', code: 'service_unavailable' });
  expect((await newest(1))[0]).toMatchObject({
    id,
    action: 'app.created',
    method: 'AdminService/CreateApp',
    outcome: 'failed',
    code: 'service_unavailable',
    appUuid: app?.appUuid,
    subject: app?.appUuid,
  });
});

test('further actions of a call have entries of their own, of the same person', async () => {
  const id = await begin();
  const create = (name: string) => as(id, () => platform.admin.createApp({ name, environment: 'test' }));
  await create('first');
  await create('second');
  const [second, first] = await newest(2);
  expect(first).toMatchObject({ id, action: 'app.created' });
  expect(second).toMatchObject({ action: 'app.created', actorSubject: 'ada', outcome: 'done' });
  expect(second?.method).toBeUndefined();
});

test('an actor completes no entry that is not of a call', async () => {
  await platform.admin.createApp({ name: 'old', environment: 'test' });
  const [old] = await newest(1);
  await as(old?.id, () => platform.admin.createApp({ name: 'new', environment: 'test' }));
  expect((await newest(2))[1]).toEqual(old);
});

test.each([{ actor: 'nobody' }, { method: '' }, { appId: 'x' }])('%j is refused', async (change) => {
  await expectProblem(begin(change), 'invalid_property');
});

test('a refusal has its number', async () => {
  const call = { ...CALL, actor: 'unknown', action: 'administration_token.refused' };
  await platform.console.recordOperatorCall({ call, outcome: 'refused', code: 'x', count: 7 });
  expect((await newest(1))[0]).toMatchObject({ action: call.action, outcome: 'refused', count: 7 });
});

test('entries are found by the object that they are about', async () => {
  const objectId = '01990000-0000-7000-8000-0000000000aa';
  const [first, second] = [await begin({ objectId }), await begin()];
  await platform.console.endOperatorCall({ id: second, outcome: 'done', code: '', objectId });
  const { entries } = await platform.admin.listAuditEntries({ objectId });
  expect(entries.map(({ id }) => id)).toEqual([second, first]);
  await expectProblem(platform.admin.listAuditEntries({ objectId: 'x' }), 'invalid_property', {
    property: 'object_id',
  });
});

test('sessions of the console leave an entry when they begin, and when they end by themselves', async () => {
  const roles = [{ role: 'viewer' }];
  const { session } = await platform.console.openConsoleSession({
    person: { ...PERSON, name: 'Ada' },
    roles,
  });
  expect((await newest(1))[0]).toMatchObject({
    action: 'console_session.opened_by_oidc',
    subject: session?.id,
    actorSubject: 'ada',
  });
  platform.clock.advance(DAY_MS);
  const expired = await until(
    async () => (await newest(20)).find(({ action }) => action === 'console_session.expired'),
    { what: 'the session is swept', withinMs: 100_000 },
  );
  expect(expired).toMatchObject({ subject: session?.id, actorSubject: 'ada' });
}, 120_000);
