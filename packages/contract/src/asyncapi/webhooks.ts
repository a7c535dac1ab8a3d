import Type from 'typebox';
import { NOTICE_HEADERS } from '../webhook-events/headers.ts';
import { nameOf, WEBHOOK_REQUESTS } from '../webhook-events/index.ts';
import { WEBHOOK_EVENTS } from '../values.ts';
import type { Channel, Operation } from './channel.ts';
import type { Message } from './message.ts';

const HEADERS = Type.Object(
  Object.fromEntries(
    NOTICE_HEADERS.map(({ name, required, schema }) => [name, required ? schema : Type.Optional(schema)]),
  ),
);

/** Deliveries of one event each; an event that nothing describes is a mistake. Fails with an Error. */
const OPERATIONS: readonly Operation[] = WEBHOOK_EVENTS.map((event) => {
  const request = WEBHOOK_REQUESTS[event];
  const { body } = request ?? {};
  if (!request || !body) throw new Error(`the event ${event} is not described`);
  const name = `Webhook${nameOf(event)}`;
  const message: Message = {
    name,
    title: event,
    summary: `The body of a delivery of \`${event}\`.`,
    contentType: body.mediaTypes?.[0] ?? 'application/json',
    headers: HEADERS,
    payload: body.schema,
    examples: [{ name: event, payload: body.example }],
  };
  return {
    id: request.id,
    action: 'send',
    title: event,
    summary: `Deliver \`${event}\` to webhooks.`,
    description: request.description,
    messages: [message],
  };
});

/** Requests to the targets of webhooks; the OpenAPI document describes their answers. */
export const WEBHOOKS: Channel = {
  id: 'webhooks',
  object: {
    address: null,
    title: 'Webhooks',
    description:
      'POST requests to the `target_url` of each active webhook that names the event. `/openapi.json` describes how webhooks are registered and verified, and what a target answers.',
    servers: [{ $ref: '#/servers/target' }],
  },
  operations: OPERATIONS,
};
