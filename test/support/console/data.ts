import { startReceiver } from '@parley/testing/doubles/receiver';
import { createApp, uuidOf, type Platform, type TestApp } from '../app.ts';
import { untilStatus, webhooksCall, SECRET } from '../webhooks.ts';
import { until } from '../until.ts';

/** A text that a page must not take for HTML. */
export const MARKUP = '<img src="/console/none" onerror="document.title = \'run\'">';

const USERS = 30;
const AT_ONCE = 20;

export type ConsoleData = { app: TestApp; ids: Record<string, string>; stop(): Promise<void> };

/** An application with users, a conversation, and a webhook that has delivered. */
export async function fillWithData(platform: Platform): Promise<ConsoleData> {
  const app = await createApp(platform, 'Engines');
  await createUsers(app);
  const receiver = await startReceiver();
  const webhookBody = {
    version: '3.0',
    target_url: receiver.url,
    events: ['Message.created'],
    secret: SECRET,
  };
  const { body: webhook } = await webhooksCall(app, 'POST', '', 201, { body: webhookBody });
  await untilStatus(app, uuidOf(webhook.id), 'active');
  await app.server('PUT', '/types/room', 200, { body: { creator_role: 'owner', slow_mode_in_seconds: 10 } });
  const { body: conversation } = await app.server('POST', '/conversations', 201, {
    body: { participants: ['ada', 'grace'], metadata: { title: 'Engines' }, type: 'room' },
  });
  const messages = `/conversations/${uuidOf(conversation.id)}/messages`;
  for (const [sender_id, text] of [
    ['ada', 'The engine weaves algebraic patterns.'],
    ['grace', 'Just as the loom weaves flowers and leaves.'],
    ['ada', MARKUP],
  ]) {
    const body = { sender_id, parts: [{ mime_type: 'text/html', body: text }] };
    await app.server('POST', messages, 201, { body });
  }
  const delivery = await until(
    'a message was delivered',
    async () => {
      const { body } = await webhooksCall(
        app,
        'GET',
        `/${uuidOf(webhook.id)}/deliveries?status=delivered`,
        200,
      );
      return body[0]?.id as string | undefined;
    },
    30_000,
  );
  const ids = {
    app: app.appUuid,
    conversation: uuidOf(conversation.id),
    webhook: uuidOf(webhook.id),
    delivery,
  };
  return { app, ids, stop: () => receiver.stop() };
}

async function createUsers(app: TestApp): Promise<void> {
  const people = [
    ['ada', 'Ada Lovelace'],
    ['grace', 'Grace Hopper'],
    ...Array.from({ length: USERS }, (_, index) => [
      `user-${String(index).padStart(3, '0')}`,
      `User ${index}`,
    ]),
  ];
  while (people.length > 0) {
    await Promise.all(
      people.splice(0, AT_ONCE).map(([id, display_name]) =>
        app.server('POST', `/users/${id}/identity`, 201, {
          body: { display_name, email_address: `${id}@example.com` },
        }),
      ),
    );
  }
}
