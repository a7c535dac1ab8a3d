import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { attempt, mixedWork } from '../../support/mixed-work.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

async function create(participants: string[]): Promise<Json> {
  return (await ada.call('POST', '/conversations', 201, { body: { participants } })).body;
}
function pathOf(conversation: Json) {
  return `/conversations/${uuidOf(conversation.id)}`;
}
async function list(conversation: Json): Promise<Json[]> {
  return (await ada.call('GET', `${pathOf(conversation)}/messages`, 200)).body;
}

describe('a removed participant', () => {
  test.each([0, 4, 8, 12, 16, 20, 24, 28])(
    'never posts after the removal is answered, when %i messages were answered before',
    async (before) => {
      const conversation = await create(['bob']);
      const socket = await bob.connect();
      let removed = false;
      let answered = 0;
      const late: number[] = [];
      const post = async (bySocket: boolean): Promise<void> => {
        for (let index = 0; index < 12; index += 1) {
          const body = { parts: [textPart('still here')] };
          const startedAfter = removed;
          const status = bySocket
            ? (await socket.request('Message.create', { object_id: conversation.id, data: body })).success
              ? 201
              : 403
            : (await attempt(bob, 'POST', `${pathOf(conversation)}/messages`, body)).status;
          answered += 1;
          if (startedAfter) late.push(status);
          expect([201, 403]).toContain(status);
        }
      };
      const posting = Array.from({ length: 10 }, (_, index) => post(index % 2 === 0));
      await until(`${before} messages are answered`, () => answered >= before || undefined);
      await ada.call('PATCH', pathOf(conversation), 204, {
        body: [{ operation: 'remove', property: 'participants', id: bob.uri }],
      });
      removed = true;
      const { headers } = await ada.call('GET', `${pathOf(conversation)}/messages`, 200);
      await Promise.all(posting);
      const after = await ada.call('GET', `${pathOf(conversation)}/messages`, 200);
      expect(after.headers['svc-count']).toBe(headers['svc-count']);
      expect(late.every((status) => status === 403)).toBe(true);
      await socket.close();
    },
  );
});

describe('ids', () => {
  test('that are sent repeatedly at once use no further position', async () => {
    const conversation = await create(['bob']);
    const socket = await bob.connect();
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const work = ids.flatMap((id) =>
      Array.from({ length: 6 }, async (_, copy) => {
        const body = { id, parts: [textPart(id)] };
        if (copy % 3 === 2) {
          const answer = await socket.request('Message.create', { object_id: conversation.id, data: body });
          return answer.success ? 201 : answer.data.id === 'id_in_use' ? 409 : 500;
        }
        return (await attempt(copy % 3 ? ada : bob, 'POST', `${pathOf(conversation)}/messages`, body)).status;
      }),
    );
    const statuses = await Promise.all(work);
    expect(statuses.filter((status) => status === 201)).toHaveLength(ids.length);
    expect(statuses.filter((status) => status === 409)).toHaveLength(statuses.length - ids.length);
    const listed = await list(conversation);
    expect(listed.map(({ position }) => position)).toEqual(ids.map((_, index) => ids.length - index));
    expect(new Set(listed.map(({ id }) => uuidOf(id)))).toEqual(new Set(ids));
    await socket.close();
  });

  test('of conversations that are created simultaneously create one conversation', async () => {
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        attempt(index % 2 ? ada : bob, 'POST', '/conversations', { id, participants: ['ada', 'bob'] }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });
});

describe('many users who send, read and change at once', () => {
  test('get no server error, and correct counts', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, (_, index) => app.login(`user-${index}`)));
    const names = users.map(({ id }) => id);
    const conversations = await Promise.all([create(names), create(names), create(names)]);
    const { faults, done } = await mixedWork(users, conversations, { loops: 3, steps: 40 });
    expect(faults).toEqual([]);
    expect(done).toBe(users.length * 3 * 40);
    for (const user of users) {
      for (const conversation of conversations) {
        const seen = await attempt(user, 'GET', pathOf(conversation));
        if (seen.status === 404) continue;
        const messages: Json[] = [];
        for (let from = ''; ; from = `?from_id=${uuidOf(messages.at(-1).id)}`) {
          const { body, headers } = await user.call('GET', `${pathOf(conversation)}/messages${from}`, 200);
          messages.push(...body);
          if (body.length === 100) continue;
          expect(Number(headers['svc-count'])).toBe(messages.length);
          break;
        }
        expect(seen.body.total_message_count).toBe(messages.length);
        expect(seen.body.unread_message_count).toBe(messages.filter(({ is_unread }) => is_unread).length);
      }
    }
  }, 60_000);
});
