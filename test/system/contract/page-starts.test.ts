import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Answer } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

// Items behind which a page may begin: docs/protocol/requests.md#lists

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
  await app.login('bob');
});

async function newUser(): Promise<TestUser> {
  return app.login(`user-${randomUUID()}`);
}

async function createConversation(user: TestUser): Promise<string> {
  const { body } = await user.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  return uuidOf(body.id);
}

test('an unknown from_id is refused, and so is one of another list or another user', async () => {
  const [one, two] = [await newUser(), await newUser()];
  const ofOne = await createConversation(one);
  const sent = { parts: [textPart('hello')] };
  const { body } = await one.call('POST', `/conversations/${ofOne}/messages`, 201, { body: sent });
  const message = uuidOf(body.id);
  const ofTwo = await createConversation(two);
  for (const query of ['sort_by=created_at', 'sort_by=last_message'])
    for (const id of [ofTwo, message, randomUUID(), 'x'])
      await expectRefused(one.call('GET', `/conversations?${query}&from_id=${id}`, 422), 'from_id');
  for (const list of ['messages', 'scheduled_messages'])
    for (const id of [ofOne, randomUUID()])
      await expectRefused(app.server('GET', `/conversations/${ofOne}/${list}?from_id=${id}`, 422), 'from_id');
});

test('a cursor that is not of a page by last message is refused', async () => {
  const [one, two] = [await newUser(), await newUser()];
  await createConversation(one);
  for (let n = 0; n < 2; n++) await createConversation(two);
  const { headers } = await two.call('GET', '/conversations?sort_by=last_message&page_size=1', 200);
  const cursor = new URL(/<(.*)>/.exec(headers['link']!)![1]!).searchParams.get('cursor')!;
  const forged = ['x', '__proto__', '..', Buffer.from('1/x').toString('base64url'), 'A'.repeat(4000)];
  for (const value of [cursor, ...forged])
    await expectRefused(
      one.call('GET', `/conversations?sort_by=last_message&cursor=${value}`, 422),
      'cursor',
    );
  await expectRefused(two.call('GET', `/conversations?cursor=${cursor}`, 422), 'cursor');
});

async function expectRefused(answer: Promise<Answer>, property: string): Promise<void> {
  expect((await answer).body).toMatchObject({ id: 'invalid_property', data: { property } });
}
