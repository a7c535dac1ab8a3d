import { searchedBeginning, searchedTexts } from '@parley/domain/user-search';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import fc from 'fast-check';
import { createTestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});

afterAll(() => platform.stop());

test('the list of users by a text is what a look at every name gives', async () => {
  const app = await createTestApp(platform);
  const user = fc.record({
    userId: fc.stringMatching(/^[a-cA-C]{1,3}$/),
    displayName: fc.stringMatching(/^([abÄ]{1,3} ){0,2}[abÄ]{1,3}$/),
    suspended: fc.boolean(),
    isBot: fc.boolean(),
  });
  const known = new Map<string, { displayName: string; suspended: boolean; isBot: boolean }>();
  for (const { userId, ...fields } of fc.sample(user, 60)) {
    if (known.has(userId)) continue;
    known.set(userId, fields);
    const type = fields.isBot ? IdentityType.BOT : IdentityType.USER;
    const { displayName, suspended } = fields;
    await platform.identity.createIdentity({ identity: { appId: app.uuid, userId, displayName, type } });
    if (suspended) await platform.identity.setUserSuspended({ appId: app.uuid, userId, suspended });
  }
  const query = fc.constantFrom('a', 'b', 'aa', 'ab', 'c', 'A a', 'ä', '?');
  await fc.assert(
    fc.asyncProperty(
      query,
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 20 }),
      async (text, suspended, isBot, pageSize) => {
        const type = isBot ? IdentityType.BOT : IdentityType.USER;
        const beginning = searchedBeginning(text);
        const expected = [...known]
          .filter(([, one]) => one.suspended === suspended && one.isBot === isBot)
          .filter(([userId, { displayName }]) =>
            beginning === ''
              ? false
              : searchedTexts({ userId, displayName }).some((each) => each.startsWith(beginning)),
          )
          .map(([userId]) => userId);
        const all: string[] = [];
        for (let fromId = ''; ; fromId = all.at(-1)!) {
          const asked = { appId: app.uuid, query: text, suspended, type, pageSize, fromId };
          const { identities } = await platform.identity.listUsers(asked);
          all.push(...identities.map(({ userId }) => userId));
          if (identities.length < pageSize) break;
        }
        expect(all.toSorted()).toEqual(expected.toSorted());
        expect(new Set(all).size).toBe(all.length);
      },
    ),
    { numRuns: 60 },
  );
});
