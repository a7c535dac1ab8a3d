import fc from 'fast-check';
import { createRoom } from '../support/actions.ts';
import { act, compare, sendMany, setBlock, type Action, type Model } from '../support/model.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';
import { guardVersions } from '../support/version-guard.ts';

const users = ['ann', 'bob', 'cat', 'dan'];

let service: TestMessaging;
let replica: TestMessaging;
beforeAll(async () => {
  service = await startMessaging();
  await guardVersions(service);
  const env = { PARLEY_DATABASE_URL: service.ctx.config.databaseUrl };
  replica = await startMessaging({ env, isDirect: true });
});
afterAll(async () => {
  await replica?.stop();
  await service?.stop();
});

const user = fc.constantFrom(...users);
const nearTheEnd = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 300 }));
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      user,
      low: fc.boolean(),
      times: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 6 })),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'delivery' as const, 'hide' as const, 'delete' as const),
      user,
      back: nearTheEnd,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('read all' as const, 'deliver all' as const),
      user,
      back: nearTheEnd,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('react' as const, 'react' as const, 'unreact' as const),
      user,
      back: nearTheEnd,
      key: fc.constantFrom('👍', '🎉', 'a.b', 'constructor'),
      replace: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), back: nearTheEnd }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('block' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('shadow' as const), isOn: fc.boolean() }) },
);

// A sender whose messages and edits one of the users does not get while a block holds.
async function createModel(): Promise<Model> {
  const model: Model = {
    room: await createRoom(service, users),
    users,
    messages: [],
    isBlocking: false,
    isShadowing: false,
    steps: 1,
  };
  await setBlock(service, model, true);
  return model;
}

test('counts, statuses, texts and lists equal those of naive sets after each step, across the borders of bitmaps', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Three of four actions go to one replica, so that it uses its cache.
      fc.array(fc.tuple(actions, fc.integer({ min: 0, max: 3 })), { minLength: 8, maxLength: 24 }),
      fc.integer({ min: 0, max: 9 }),
      async (list, short) => {
        const model = await createModel();
        await sendMany(service, model, { user: 'ann', low: false, times: 240 });
        await sendMany(service, model, { user: 'bob', low: true, times: 3 });
        await sendMany(service, model, { user: 'cat', low: false, times: short });
        for (const [action, turn] of list) {
          await act(turn === 0 ? replica : service, model, action);
          await compare(service, model, 1);
        }
        await compare(service, model, Infinity);
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
}, 480_000);
