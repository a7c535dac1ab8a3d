import { create, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { expectProblem } from '@parley/domain/testing/problems';
import { searchedTexts } from '@parley/domain/user-search';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { until } from '@parley/testing';
import fc from 'fast-check';
import { findNamedSharedUserIds, findSharedUserIds } from '../src/sql/user-search.ts';
import { createTestApp, logIn, type TestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});

afterAll(() => platform.stop());

const NAMES: Readonly<Record<string, string>> = {
  ada: 'Ada Lovelace',
  bob: 'Bób Ånderson',
  bot: 'Anna Bot',
  carol: 'Carol',
  dave: 'David King-Anders',
};

async function createApp(userDirectory?: string): Promise<TestApp> {
  const app = await createTestApp(platform);
  for (const [userId, displayName] of Object.entries(NAMES)) {
    const type = userId === 'bot' ? IdentityType.BOT : IdentityType.USER;
    await platform.identity.createIdentity({ identity: { appId: app.uuid, userId, displayName, type } });
  }
  await platform.identity.updateAppSettings({ appId: app.uuid, ...(userDirectory && { userDirectory }) });
  return app;
}

type Asked = { viewer?: string; pageSize?: number };

async function find(app: TestApp, query: string, { viewer = 'carol', pageSize = 20 }: Asked = {}) {
  const { identities } = await platform.identity.findUsers({
    appId: app.uuid,
    userId: viewer,
    query,
    pageSize,
  });
  return identities.map(({ userId }) => userId);
}

async function list(app: TestApp, query: string, more: { suspended?: boolean; type?: IdentityType } = {}) {
  const { identities } = await platform.identity.listUsers({
    appId: app.uuid,
    query,
    pageSize: 100,
    ...more,
  });
  return identities.map(({ userId }) => userId);
}

function block(app: TestApp, ownerUserId: string, userId: string, operation: Operation): Promise<unknown> {
  return platform.relations.updateBlocks({
    appId: app.uuid,
    ownerUserId,
    steps: [{ operation, userIds: [userId] }],
  });
}

/** Users of one conversation at one of its changes. */
type Members = { conversationId: string; seq: number; joined?: string[]; left?: string[] };

async function publish(
  app: TestApp,
  { conversationId, seq, joined = [], left = [] }: Members,
): Promise<void> {
  const head = { id: newId(), appId: app.uuid, conversationId, seq, createdAt: seq };
  const added = joined.map((userId) => ({ userId }));
  const event = create(EventSchema, {
    ...head,
    body: { case: 'conversationUpdated', value: { added, removedUserIds: left } },
  });
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
  await until(
    async () =>
      (await platform.db.execute({
        text: `select from consumed_event where event_id = '${event.id}' and consumer = 'identity-memberships'`,
      })) > 0 || undefined,
    { withinMs: 30_000, what: 'the change is consumed' },
  );
}

describe('everyone', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createApp('everyone');
  });

  test.each([
    ['ada', ['ada']],
    ['love', ['ada']],
    ['AND', ['dave', 'bob']],
    ['king and', ['dave']],
    ['bob a', ['bob']],
    ['an', ['dave', 'bob', 'bot']],
    ['nder', []],
    ['carol', ['carol']],
    ['–', []],
  ])('users are found by the beginning of a word: %s', async (query, found) => {
    expect(await find(app, query)).toEqual(found);
  });

  test('a page has as many users as asked, at most 20', async () => {
    expect(await find(app, 'an', { pageSize: 2 })).toEqual(['dave', 'bob']);
    const many = Array.from({ length: 25 }, (_, index) => `zoe-${index + 10}`);
    for (const userId of many)
      await platform.identity.createIdentity({
        identity: { appId: app.uuid, userId, displayName: 'Zoe Zed' },
      });
    expect(await find(app, 'z', { pageSize: 100 })).toEqual(many.slice(0, 20));
  });

  test.each(['', 'x'.repeat(65)])('a text of another length is refused: %s', async (query) => {
    const asked = platform.identity.findUsers({ appId: app.uuid, userId: 'carol', query });
    await expectProblem(asked, 'invalid_property', { property: 'q' });
  });

  test('a new name is found at once, and the old one no longer', async () => {
    await platform.identity.updateIdentity({
      identity: { appId: app.uuid, userId: 'ada', displayName: 'Augusta King' },
      fields: ['display_name'],
    });
    expect(await find(app, 'augusta')).toEqual(['ada']);
    expect(await find(app, 'lovelace')).toEqual([]);
  });

  test('a login with another name is found by it', async () => {
    await logIn(platform, app, 'ada', { display_name: 'Ada Byron' });
    expect(await find(app, 'byron')).toEqual(['ada']);
    await logIn(platform, app, 'newcomer', { display_name: 'Quentin' });
    expect(await find(app, 'quen')).toEqual(['newcomer']);
  });

  test('suspended users are left out until they are resumed', async () => {
    const suspend = (suspended: boolean) =>
      platform.identity.setUserSuspended({ appId: app.uuid, userId: 'dave', suspended });
    await suspend(true);
    expect(await find(app, 'david')).toEqual([]);
    expect(await list(app, 'david', { suspended: true })).toEqual(['dave']);
    expect(await list(app, 'david', { suspended: false })).toEqual([]);
    await suspend(false);
    expect(await find(app, 'david')).toEqual(['dave']);
  });

  test('users who block the viewer are left out, and those whom the viewer blocks are not', async () => {
    await block(app, 'bob', 'carol', Operation.ADD);
    expect(await find(app, 'bob')).toEqual([]);
    expect(await find(app, 'bob', { viewer: 'dave' })).toEqual(['bob']);
    expect(await find(app, 'carol', { viewer: 'bob' })).toEqual(['carol']);
    await block(app, 'bob', 'carol', Operation.REMOVE);
    expect(await find(app, 'bob')).toEqual(['bob']);
  });

  test('erased users and deleted identities are gone at once, and found again when they come back', async () => {
    await logIn(platform, app, 'gone', { display_name: 'Waldo' });
    await platform.identity.eraseUser({ appId: app.uuid, userId: 'gone' });
    expect([await find(app, 'waldo'), await find(app, 'gone'), await list(app, 'gone')]).toEqual([
      [],
      [],
      [],
    ]);
    await logIn(platform, app, 'gone', { display_name: 'Wilma' });
    expect([await find(app, 'waldo'), await find(app, 'wilma')]).toEqual([[], ['gone']]);
    await platform.identity.deleteIdentity({ appId: app.uuid, userId: 'gone' });
    expect(await find(app, 'wilma')).toEqual([]);
  });

  test('users of another application are not found', async () => {
    const other = await createApp('everyone');
    await logIn(platform, other, 'stranger', { display_name: 'Xenia' });
    expect([await find(app, 'xenia'), await find(other, 'xenia')]).toEqual([[], ['stranger']]);
  });

  test('a process of the release before leaves no old name behind', async () => {
    await logIn(platform, app, 'old', { display_name: 'Before' });
    await platform.db.execute({
      text: `update identity set display_name = 'After', version = version + 1 where app_id = $1 and user_id = 'old'`,
      values: [app.uuid],
    });
    platform.clock.advance(1_000);
    const found = await until(async () => ((await find(app, 'after')).length > 0 ? 'found' : undefined), {
      withinMs: 30_000,
      what: 'the words are written',
    });
    expect([found, await find(app, 'before')]).toEqual(['found', []]);
  });
});

test.each(['nobody', undefined])('nobody is found while the directory is closed: %s', async (directory) => {
  const app = await createApp(directory);
  const asked = platform.identity.findUsers({ appId: app.uuid, userId: 'carol', query: 'ada' });
  await expectProblem(asked, 'access_denied', { reason: 'user_directory' });
});

describe('shared', () => {
  test('users with whom the viewer shares a conversation are found, until one of them leaves', async () => {
    const app = await createApp('shared');
    const conversationId = newId();
    expect(await find(app, 'a')).toEqual([]);
    await publish(app, { conversationId, seq: 1, joined: ['ada', 'carol', 'dave'] });
    expect(await find(app, 'a')).toEqual(['ada', 'dave']);
    expect(await find(app, 'carol')).toEqual([]);
    await block(app, 'dave', 'carol', Operation.ADD);
    expect(await find(app, 'a')).toEqual(['ada']);
    await publish(app, { conversationId, seq: 2, left: ['ada'] });
    expect(await find(app, 'a')).toEqual([]);
    await publish(app, { conversationId, seq: 3, joined: ['ada'] });
    expect(await find(app, 'a')).toEqual(['ada']);
    await publish(app, { conversationId, seq: 4, left: ['carol'] });
    expect(await find(app, 'a')).toEqual([]);
  });

  test('each way of reading finds the same, or says that it did not read all', async () => {
    const app = await createApp('shared');
    const rooms = [
      ['ada', 'bob', 'carol'],
      ['bob', 'bot', 'carol'],
      ['ada', 'dave'],
    ];
    for (const joined of rooms) await publish(app, { conversationId: newId(), seq: 1, joined });
    const met = (viewer: string) =>
      Object.keys(NAMES).filter(
        (userId) => userId !== viewer && rooms.some((room) => room.includes(viewer) && room.includes(userId)),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(NAMES)),
        fc.constantFrom('a', 'an', 'b', 'bob', 'k', 'x'),
        fc.integer({ min: 1, max: 8 }),
        async (viewer, query, reads) => {
          const search = { appId: app.uuid, viewer, beginning: query, limit: 20 };
          const isNamed = (userId: string) =>
            searchedTexts({ userId, displayName: NAMES[userId]! }).some((text) => text.startsWith(query));
          const expected = met(viewer).filter(isNamed).sort();
          for (const found of [
            await findSharedUserIds(platform.db, search, undefined),
            await findSharedUserIds(platform.db, search, reads),
            await findNamedSharedUserIds(platform.db, search, reads),
          ]) {
            if (found.isAll) expect(found.userIds.toSorted()).toEqual(expected);
            else for (const userId of found.userIds) expect(expected).toContain(userId);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
