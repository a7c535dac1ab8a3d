import { newId } from '@parley/domain/ids';
import { RecipientStatus } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { problemIn } from '@parley/domain/testing/problems';
import fc from 'fast-check';
import { insertErasures } from '../src/sql/erasure.ts';
import { eraseUsers } from '../src/timers/erase-users.ts';
import { createFanOut } from '../src/timers/fan-out.ts';
import {
  countUnread,
  createAnnouncement,
  kindOf,
  listIds,
  replay,
  sendReceipt,
  untilEmpty,
} from './support/actions.ts';
import { incarnations, startAnnouncement, type TestAnnouncement } from './support/service.ts';

// Any sequence of calls against plain lists of what each user has.

const USERS = ['ada', 'bob', 'eve'] as const;
type UserId = (typeof USERS)[number];

type Copy = { id: string; sender: UserId; status: RecipientStatus; deleted: boolean };
type Model = { appId: string; copies: Record<UserId, Copy[]>; requests: Request[] };
type Request = { id: string; requestId: string; sender: UserId; recipients: UserId[] };
type Step = { what: keyof typeof STEPS; user: UserId; recipients: UserId[]; back: number };

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(async () => {
  incarnations.clear();
  await service.stop();
});

async function untilIdle(): Promise<void> {
  await createFanOut(service.ctx).run();
  await untilEmpty(service, 'fan_out');
}

function findCopy(model: Model, { user, back }: Step): Copy | undefined {
  const copies = model.copies[user];
  return copies.at(-1 - (back % Math.max(1, copies.length)));
}

async function sendReceiptStep(model: Model, step: Step, type: 'delivery' | 'read'): Promise<void> {
  const copy = findCopy(model, step);
  if (!copy) return;
  const call = sendReceipt(service, { appId: model.appId, userId: step.user, id: copy.id }, type);
  expect(await problemIn(call)).toBe(copy.deleted ? 'not_found' : 'success');
  const status = type === 'read' ? RecipientStatus.READ : RecipientStatus.DELIVERED;
  if (!copy.deleted) copy.status = Math.max(copy.status, status);
}

function addCopies(model: Model, { id, sender, recipients }: Omit<Request, 'requestId'>): void {
  for (const userId of recipients)
    model.copies[userId].push({ id, sender, status: RecipientStatus.SENT, deleted: false });
}

// Each does to the model what its call does, and checks whether the call succeeds.
const STEPS = {
  async create(model: Model, { user: sender, recipients }: Step) {
    const request = { id: newId(), requestId: newId(), sender, recipients };
    await createAnnouncement(service, { appId: model.appId, ...request });
    await untilIdle();
    model.requests.push(request);
    addCopies(model, request);
  },
  async createTwoAtOnce(model: Model, { user: sender, recipients }: Step) {
    const requests = [0, 1].map(() => ({ id: newId(), requestId: newId(), sender, recipients }));
    await Promise.all(
      requests.map((request) => createAnnouncement(service, { appId: model.appId, ...request })),
    );
    await untilIdle();
    model.requests.push(...requests);
    // Either may be the first, but the same one for all recipients.
    const [latest] = await listIds(service, { appId: model.appId, userId: recipients[0]! });
    const inOrder = requests.toSorted((a, b) => Number(a.id === latest) - Number(b.id === latest));
    for (const { id } of inOrder) addCopies(model, { id, sender, recipients });
  },
  async repeat(model: Model, { back }: Step) {
    const request = model.requests.at(-1 - (back % Math.max(1, model.requests.length)));
    if (!request) return;
    const { idInUse } = await createAnnouncement(service, { appId: model.appId, ...request });
    expect(idInUse).toBe(false);
    await untilIdle();
  },
  async deliver(model: Model, step: Step) {
    await sendReceiptStep(model, step, 'delivery');
  },
  async read(model: Model, step: Step) {
    await sendReceiptStep(model, step, 'read');
  },
  async remove(model: Model, step: Step) {
    const copy = findCopy(model, step);
    if (!copy) return;
    const { appId } = model;
    await service.announcement.deleteReceivedAnnouncement({ appId, userId: step.user, id: copy.id });
    copy.deleted = true;
  },
  async erase(model: Model, { user }: Step) {
    const version = (incarnations.get(user) ?? 0) + 2;
    incarnations.set(user, version);
    await insertErasures(service.ctx.db, [{ appId: model.appId, userId: user, version }]);
    await eraseUsers(service.ctx).run();
    await untilEmpty(service, 'erasure');
    model.copies[user] = [];
    model.requests = model.requests.filter(({ sender }) => sender !== user);
    for (const userId of USERS)
      for (const copy of model.copies[userId]) if (copy.sender === user) copy.deleted = true;
  },
};

async function compare(model: Model, pageSize: number): Promise<void> {
  for (const userId of USERS) {
    const user = { appId: model.appId, userId };
    const expected = model.copies[userId].filter(({ deleted }) => !deleted).reverse();
    const listed: Pick<Copy, 'id' | 'status'>[] = [];
    for (;;) {
      const fromId = listed.at(-1)?.id ?? '';
      const page = await service.announcement.listReceivedAnnouncements({ ...user, fromId, pageSize });
      expect(page.total).toBe(expected.length);
      listed.push(...page.received.map(({ announcement, status }) => ({ id: announcement!.id, status })));
      if (page.received.length < pageSize) break;
    }
    expect(listed).toEqual(expected.map(({ id, status }) => ({ id, status })));
    const unread = expected.filter(({ status }) => status !== RecipientStatus.READ).length;
    expect(await countUnread(service, user)).toBe(unread);
    await compareReplay(model, userId);
  }
}

/** A client that applies a replay to an empty list has what the service lists. */
async function compareReplay(model: Model, userId: UserId): Promise<void> {
  const replayed = new Map<string, string>();
  for (const event of await replay(service, { appId: model.appId, userId }, 0)) {
    const { body } = event;
    if (body.case !== 'announcementReceived' && body.case !== 'announcementReceiptRecorded') continue;
    replayed.set(body.value.announcementId, kindOf(event));
  }
  const kinds = { [RecipientStatus.READ]: 'read', [RecipientStatus.DELIVERED]: 'delivery' };
  const expected = model.copies[userId]
    .filter(({ deleted }) => !deleted)
    .map(({ id, status }) => [id, kinds[status as keyof typeof kinds] ?? 'announcementReceived']);
  expect([...replayed]).toEqual(expected);
}

const user = fc.constantFrom(...USERS);
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('create' as const, 'createTwoAtOnce' as const) },
    {
      weight: 5,
      arbitrary: fc.constantFrom('deliver' as const, 'read' as const, 'remove' as const, 'repeat' as const),
    },
    { weight: 1, arbitrary: fc.constant('erase' as const) },
  ),
  user,
  recipients: fc.uniqueArray(user, { minLength: 1, maxLength: USERS.length }),
  back: fc.nat(6),
});

test('lists, counts, statuses and replays are those of a model after each call', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 16 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, pageSize) => {
        incarnations.clear();
        const model: Model = { appId: newId(), copies: { ada: [], bob: [], eve: [] }, requests: [] };
        for (const next of steps) {
          await STEPS[next.what](model, next);
          await compare(model, pageSize);
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);
