import type { Route } from './route.ts';
import { getDelivery, listDeliveries, replayDeliveries, replayDelivery } from './webhooks/deliveries.ts';
import {
  activateWebhook,
  createWebhook,
  deactivateWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './webhooks/registrations.ts';

const list = '/apps/:app_uuid/webhooks';
const one = `${list}/:webhook_id`;
const deliveries = `${one}/deliveries`;
const delivery = `${deliveries}/:delivery_id`;
const of = { auth: 'bearer', accept: 'webhooks' } as const;

/** SPEC Webhooks REST API, completions 7 */
export const webhooks: Route[] = [
  { method: 'POST', path: list, ...of, summary: 'Register a webhook', handle: createWebhook },
  { method: 'GET', path: list, ...of, kind: 'list', summary: 'List webhooks', handle: listWebhooks },
  { method: 'GET', path: one, ...of, summary: 'Get a webhook', handle: getWebhook },
  { method: 'PATCH', path: one, ...of, summary: 'Change a webhook', handle: updateWebhook },
  { method: 'DELETE', path: one, ...of, summary: 'Delete a webhook', handle: deleteWebhook },
  {
    method: 'POST',
    path: `${one}/activate`,
    ...of,
    summary: 'Verify and activate a webhook',
    handle: activateWebhook,
  },
  {
    method: 'POST',
    path: `${one}/deactivate`,
    ...of,
    summary: 'Deactivate a webhook',
    handle: deactivateWebhook,
  },
  {
    method: 'POST',
    path: `${one}/rotate_secret`,
    ...of,
    summary: "Rotate a webhook's secret",
    handle: rotateSecret,
  },
  {
    method: 'GET',
    path: deliveries,
    ...of,
    kind: 'list',
    summary: 'List deliveries',
    handle: listDeliveries,
  },
  {
    method: 'POST',
    path: `${deliveries}/replay`,
    ...of,
    kind: 'patch',
    summary: 'Replay deliveries of a time',
    handle: replayDeliveries,
  },
  { method: 'GET', path: delivery, ...of, summary: 'Get a delivery', handle: getDelivery },
  { method: 'POST', path: `${delivery}/replay`, ...of, summary: 'Replay a delivery', handle: replayDelivery },
];
