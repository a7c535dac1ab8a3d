import { createClient, createRouterTransport } from '@connectrpc/connect';
import { systemClock } from '@parley/kit/runtime/clock';
import { createWire } from '@parley/domain/wire';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { ApiContext } from './context.ts';
import { ROUTES } from './routes.ts';
import type { ApiRequest } from './request/route.ts';

const ID = '01990000-0000-7000-8000-000000000001';
const APP = '/apps/:app_uuid';
const CONVERSATION = '/conversations/:conversation_id';
const DELIVERIES = `${APP}/webhooks/:webhook_id/deliveries`;

const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const push = (count: number) => ({ recipients: names(count), notification: { text: 'hello' } });

/** Services for which every conversation has 250 participants, and every time 4,000 deliveries. */
const transport = createRouterTransport(({ service }) => {
  service(MessagingService, {
    createConversation: () => ({}),
    deleteConversation: () => ({ participantCount: 250 }),
  });
  service(NotificationService, { requestNotification: () => ({}) });
  service(WebhookService, {
    replayDeliveries: ({ status }) => ({ count: status === DeliveryStatus.DEAD ? 4_000 : 1 }),
  });
});

type Asked = { body?: unknown; query?: string };

/** The weight of a request, and the concurrency limits it takes a slot of besides that of its row. */
async function measure([method, path]: string[], { body, query }: Asked) {
  const route = ROUTES.find((row) => row.method === method && row.path === path)!;
  const weights: number[] = [];
  const kinds: (string | undefined)[] = route.kind ? [route.kind] : [];
  const run = (kind: string, _caller: object, work: () => Promise<unknown>) => (kinds.push(kind), work());
  const ctx = {
    ...{ wire: createWire('svc'), clock: systemClock, limits: { concurrency: { run } } },
    messaging: createClient(MessagingService, transport),
    notifications: createClient(NotificationService, transport),
    webhooks: createClient(WebhookService, transport),
  };
  const request = {
    params: { conversation_id: ID, webhook_id: ID },
    ...{ query: new URLSearchParams(query), headers: {}, body, appId: ID, userId: 'ada', tokenId: 't' },
    weigh: (weight: number) => void weights.push(weight),
  };
  await route.handle(ctx as unknown as ApiContext, request as unknown as ApiRequest);
  return { weight: weights.reduce((sum, weight) => sum + weight - 1, 1), kinds };
}

const heavy = (weight: number) => ({ weight, kinds: ['patch'] });
const ordinary = { weight: 1, kinds: [] };

test.each<[string, string[], Asked, object]>([
  [
    'creating a large conversation',
    ['POST', '/conversations'],
    { body: { participants: names(250) } },
    heavy(11),
  ],
  ['creating a small one', ['POST', '/conversations'], { body: { participants: names(2) } }, ordinary],
  [
    'a server that creates one',
    ['POST', `${APP}/conversations`],
    { body: { participants: names(100) } },
    heavy(5),
  ],
  ['deleting one for all', ['DELETE', CONVERSATION], { query: 'mode=all_participants' }, heavy(11)],
  ['leaving one', ['DELETE', CONVERSATION], { query: 'mode=my_devices&leave=true' }, heavy(11)],
  ['hiding one', ['DELETE', CONVERSATION], { query: 'mode=my_devices' }, ordinary],
  ['a server that deletes one', ['DELETE', APP + CONVERSATION], {}, heavy(11)],
  ['a push to many', ['POST', `${APP}/notifications`], { body: push(10_000) }, heavy(201)],
  ['a push to one', ['POST', `${APP}/notifications`], { body: push(1) }, ordinary],
  [
    'a replay of many deliveries',
    ['POST', `${DELIVERIES}/replay`],
    { body: { from: '2026-01-01T00:00:00.000Z' } },
    heavy(40),
  ],
])('%s weighs by its size', async (_which, row, asked, expected) => {
  expect(await measure(row, asked)).toEqual(expected);
});
