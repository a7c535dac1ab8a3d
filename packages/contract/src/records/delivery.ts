import Type, { type Static } from 'typebox';
import { UUID } from '../patterns.ts';
import { EXAMPLE, url } from '../schema/ids.ts';
import { count, mapOf, named, nullable, oneOf, optional, time } from '../schema/schema.ts';
import { DELIVERY_STATUSES, REPLAYED_STATUSES } from '../values.ts';
import { WEBHOOK_URI, WebhookEventName } from './webhook.ts';

function bareId(description: string, example: string) {
  return Type.String({ pattern: `^${UUID}$`, description, examples: [example] });
}

export const DeliveryStatus = named(
  'DeliveryStatus',
  oneOf(DELIVERY_STATUSES, 'A dead delivery has used up its attempts; it is kept for 30 days.'),
);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

const PROPERTIES = {
  id: bareId('Bare UUID; the target gets it in each attempt.', EXAMPLE.delivery),
  url: url('Where the delivery is read.'),
  webhook: Type.Object(
    { id: WEBHOOK_URI, url: url('Where the webhook is read.') },
    { description: 'To which webhook.' },
  ),
  event: Type.Object(
    {
      id: bareId('Id of the event; the same for all webhooks.', EXAMPLE.event),
      type: WebhookEventName,
      created_at: time('When it happened.'),
    },
    { description: 'What the target is notified of.' },
  ),
  status: DeliveryStatus,
  attempt_count: count('Attempts so far.'),
  created_at: time('When the delivery was stored.'),
  next_attempt_at: nullable(time('When the next attempt is due; null once it is settled.')),
  settled_at: nullable(time('When it was delivered, or given up.')),
};

export const Delivery = named(
  'Delivery',
  Type.Object(PROPERTIES, { description: 'One event for one webhook.' }),
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryAttempt = named(
  'DeliveryAttempt',
  Type.Object(
    {
      at: time('When the attempt ended.'),
      duration_ms: count('Milliseconds that the target took.'),
      response_status: nullable(Type.Integer({ description: 'HTTP status; null without an answer.' })),
      response_body: nullable(Type.String({ description: 'The beginning of the answer.' })),
      error: nullable(Type.String({ description: 'Why there was no answer.' })),
    },
    { description: 'One attempt to deliver.' },
  ),
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryWithAttempts = named(
  'DeliveryWithAttempts',
  Type.Object(
    {
      ...PROPERTIES,
      attempts: Type.Array(DeliveryAttempt, { description: 'Oldest first.' }),
      body: nullable(
        mapOf(Type.Unknown(), {
          description:
            'The notification as the next attempt would send it; null when it cannot be made any more.',
        }),
      ),
    },
    { description: 'A delivery, the results of its attempts, and what it sends.' },
  ),
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

export const TestEventInput = named(
  'TestEventInput',
  Type.Object(
    {
      event: Type.Optional(
        nullable(WebhookEventName, 'By default the first event that the webhook subscribes to.'),
      ),
    },
    { description: 'The event of which an example is delivered.' },
  ),
);
export type TestEventInput = Static<typeof TestEventInput>;

export const ReplayInput = named(
  'ReplayInput',
  Type.Object(
    {
      from: time('Deliveries of events from this moment on; ISO 8601 with a time zone.'),
      until: optional(time('Of events before this moment, by default now.')),
      status: optional(oneOf(REPLAYED_STATUSES, 'Which of them, by default the dead ones.')),
    },
    { description: 'The deliveries to send again.' },
  ),
);
export type ReplayInput = Static<typeof ReplayInput>;

export const ReplayCount = named(
  'ReplayCount',
  Type.Object({ count: count('Deliveries that are sent again.') }, { description: 'What a replay found.' }),
);
export type ReplayCount = Static<typeof ReplayCount>;
