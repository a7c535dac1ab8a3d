import { readContent, type PushContent } from './content.ts';

type WorkerEvent = { waitUntil(work: Promise<unknown>): void };
type PushEvent = WorkerEvent & { readonly data: { text(): string } | null };
type ClickEvent = WorkerEvent & { readonly notification: { readonly data: unknown; close(): void } };
type PageOfWorker = {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
};

/** The title and the options of `showNotification`. */
export type NotificationLooks = {
  readonly title?: string;
  readonly body?: string;
  readonly tag?: string;
  /** Addresses of pictures: beside the text, and in the status bar of a phone. */
  readonly icon?: string;
  readonly badge?: string;
  readonly lang?: string;
  readonly silent?: boolean;
  readonly requireInteraction?: boolean;
  readonly data?: unknown;
};

/** A service worker: `self` in its script. */
export type PushWorker = {
  readonly registration: { showNotification(title: string, options: NotificationLooks): Promise<void> };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageOfWorker[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly navigator?: { setAppBadge?(count: number): Promise<void> };
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
};

export type ServePushesOptions = {
  /** The title where a push has none; by default `New message`. */
  readonly title?: string;
  /** Properties of the notification besides title, text and tag, such as the icon, or in their place. */
  readonly notification?: (push: PushContent) => NotificationLooks;
  /** The page that a click opens when none is open; by default `/`. */
  readonly url?: (push: PushContent) => string;
  /** Whether a page that is open belongs to the user of the pushes; by default each page of the origin. `url`: its whole address. */
  readonly isPage?: (url: string) => boolean;
};

/** The types of the messages that pages get, `{type, push}`: a notification was shown, or the user has clicked it. */
const SHOWN = 'parley-push-shown';
const CLICKED = 'parley-push-clicked';

/**
 * Shows the pushes that a service worker gets, one notification for each message however often it comes, sets the badge of an
 * installed application, and opens the application at a click. A page that is open is focused then and gets a message
 * `{type: 'parley-push-clicked', push}` at `navigator.serviceWorker`. All pages get `{type: 'parley-push-shown', push}` before, so that
 * one whose user has read the message can close the notification.
 *
 * @param worker The service worker itself: `self`.
 * @param options The looks of notifications, and the page that a click opens.
 * @example servePushes(self, { url: ({ conversation_id }) => `/chat?open=${conversation_id}` });
 */
export function servePushes(worker: PushWorker, options: ServePushesOptions = {}): void {
  worker.addEventListener('push', (event) => {
    event.waitUntil(show(worker, options, readContent(event.data?.text())));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(worker, options, event.notification.data));
  });
}

async function show(worker: PushWorker, options: ServePushesOptions, push: PushContent): Promise<void> {
  const { registration, navigator } = worker;
  const { title: standard = 'New message', notification } = options;
  const { title = push.title ?? standard, ...more } = notification?.(push) ?? {};
  const tag = push.tag ?? push.message_id;
  const own = { ...(push.text !== undefined && { body: push.text }), ...(tag !== undefined && { tag }) };
  await registration.showNotification(title, { ...own, ...more, data: push });
  // Only an installed application has a badge; elsewhere browsers refuse.
  if (push.badge !== undefined) await navigator?.setAppBadge?.(push.badge).catch(() => undefined);
  for (const page of await pagesOf(worker, options)) page.postMessage({ type: SHOWN, push });
}

async function open(worker: PushWorker, options: ServePushesOptions, data: unknown): Promise<void> {
  const push: PushContent = Object(data);
  const [page] = await pagesOf(worker, options);
  if (!page) {
    await worker.clients.openWindow(options.url?.(push) ?? '/');
    return;
  }
  page.postMessage({ type: CLICKED, push });
  await page.focus();
}

async function pagesOf(
  { clients }: PushWorker,
  { isPage = () => true }: ServePushesOptions,
): Promise<readonly PageOfWorker[]> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => isPage(url));
}
