import type { Delivery, DeliveryStatus, Webhook } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import type { PagedList } from '../../api/pages.ts';
import { serverKey, serverPages, serverQuery } from '../../api/server-queries.ts';

/** How often a page asks for the outcome of a verification. */
export const VERIFYING_MS = 1_000;

export function webhooksQuery(app: AppIds) {
  return serverQuery(app, ['webhooks'], (server) => server.listWebhooks());
}

export function webhookQuery(app: AppIds, id: string) {
  return serverQuery(app, ['webhook', id], (server) => server.getWebhook(id));
}

/** Keys of the queries that have other answers after a change of a webhook. */
export function webhookChanges(app: AppIds, id: string) {
  return [webhookQuery(app, id).queryKey, webhooksQuery(app).queryKey];
}

/** The key of all lists of a webhook's deliveries. */
export function deliveriesKey(app: AppIds, webhookId: string) {
  return serverKey(app, 'deliveries', webhookId);
}

/** Deliveries of a webhook, all or those of a state, the newest first. */
export function deliveriesList(
  app: AppIds,
  webhookId: string,
  status: DeliveryStatus | undefined,
): PagedList<Delivery> {
  return serverPages(app, ['deliveries', webhookId, status ?? ''], (server, page) =>
    server.listDeliveries(webhookId, { ...page, ...(status && { status }) }),
  );
}

/** A delivery with its attempts. */
export function deliveryQuery(app: AppIds, webhookId: string, id: string) {
  return serverQuery(app, ['delivery', webhookId, id], (server) => server.getDelivery(webhookId, id));
}

export function isBeingVerified({ status }: Webhook): boolean {
  return status === 'unverified';
}
