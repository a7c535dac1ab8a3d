import type { PushContent } from './content.ts';

/** The registration of a service worker, as far as its notifications are concerned: a `ServiceWorkerRegistration`. */
export type ShownNotifications = {
  getNotifications(): Promise<readonly { readonly data: unknown; close(): void }[]>;
};

/**
 * Closes notifications of pushes, such as those of a conversation that the user reads.
 *
 * @param worker The registration of the service worker that has shown them.
 * @param isDone Whether the notification of a push is to be closed.
 * @throws DOMException if the browser cannot read its notifications.
 * @example await closeNotifications(worker, ({ conversation_id }) => conversation_id === conversation.id);
 */
export async function closeNotifications(
  worker: ShownNotifications,
  isDone: (push: PushContent) => boolean,
): Promise<void> {
  for (const notification of await worker.getNotifications())
    if (isDone(Object(notification.data))) notification.close();
}
