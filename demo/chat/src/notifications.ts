import type { Client } from '@parley/client';
import { closeNotifications, registerPush, unregisterPush, type PushContent } from '@parley/client/web-push';

/** `unavailable`: the browser has none, or not at this address. `blocked`: the user has forbidden them in the browser. */
export type NotificationStatus = 'unavailable' | 'blocked' | 'off' | 'on';

/** `problem`: why the last change failed, or empty. */
export type NotificationState = { status: NotificationStatus; isBusy: boolean; problem: string };

/** The notifications of one user in this browser, as `useSyncExternalStore` reads them. */
export type Notifications = {
  getSnapshot(): NotificationState;
  subscribe(changed: () => void): () => void;
  /** Switches them on or off; the browser asks the user for the permission that is missing. Never rejects. */
  toggle(): Promise<void>;
  /** Calls with the URI of the conversation when the user clicks a notification. */
  onClick(listener: (conversation: string) => void): () => void;
};

type Clicked = (conversation: string) => void;
type FromWorker = { type: string; push: PushContent };

export function createNotifications(userId: string, client: Client): Notifications {
  const worker = workerOf(userId);
  const listeners = new Set<() => void>();
  const clicked = new Set<Clicked>();
  let state: NotificationState = { status: isPossible() ? 'off' : 'unavailable', isBusy: false, problem: '' };

  function set(changed: NotificationState): void {
    state = changed;
    for (const listener of listeners) listener();
  }
  async function change(work: () => Promise<unknown>): Promise<void> {
    set({ ...state, isBusy: true, problem: '' });
    let { status } = state;
    const problem = await problemOf(async () => {
      try {
        await work();
      } finally {
        status = await readStatus(worker);
      }
    });
    set({ status, isBusy: false, problem });
  }
  async function begin(): Promise<void> {
    if ((await Notification.requestPermission()) === 'granted')
      await registerPush(client, await worker.register());
  }
  const notifications = {
    getSnapshot: () => state,
    subscribe: (changed: () => void) => added(listeners, changed),
    async toggle() {
      await change(
        state.status === 'on' ? async () => unregisterPush(client, await worker.register()) : begin,
      );
    },
    onClick: (listener: Clicked) => added(clicked, listener),
  };
  if (!isPossible()) return notifications;
  // Browsers renew subscriptions, so each start registers again.
  void change(async () => (await readStatus(worker)) === 'on' && begin());
  void navigator.permissions.query({ name: 'notifications' }).then((permission) => {
    permission.onchange = () => void change(async () => undefined);
  });
  const close = closeWhatIsRead(client, async (isDone) => {
    if (state.status === 'on') await closeNotifications(await worker.register(), isDone);
  });
  navigator.serviceWorker.addEventListener('message', ({ data, source }: MessageEvent<FromWorker>) => {
    if (!(source instanceof ServiceWorker) || source.scriptURL !== worker.address) return;
    const { conversation_id: conversation } = data.push;
    if (data.type === 'parley-push-shown') close(data.push);
    else if (conversation !== undefined) for (const listener of clicked) listener(conversation);
  });
  return notifications;
}

/** Why the work failed; empty when it did not. */
function problemOf(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** A browser offers them to pages of HTTPS and of the machine itself. */
function isPossible(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

type Worker = { address: string; register(): Promise<ServiceWorkerRegistration> };

/** One worker for each user, and so one subscription. It controls no page. */
function workerOf(userId: string): Worker {
  const user = new URLSearchParams({ user: userId }).toString();
  const address = new URL(`/demo/worker.js?${user}`, location.href).href;
  return {
    address,
    register: () => navigator.serviceWorker.register(address, { scope: `/demo/pushes?${user}` }),
  };
}

async function readStatus(worker: Worker): Promise<NotificationStatus> {
  if (Notification.permission === 'denied') return 'blocked';
  if (Notification.permission !== 'granted') return 'off';
  return (await (await worker.register()).pushManager.getSubscription()) ? 'on' : 'off';
}

type Close = (isDone: (push: PushContent) => boolean) => Promise<void>;

/** Closes notifications as their conversations are read; the function returned looks at one that was just shown. */
function closeWhatIsRead(client: Client, close: Close): (push: PushContent) => void {
  const unread = client.unread();
  let before = 0;
  // What this device has not heard of yet is not read.
  const isRead = ({ conversation_id: id }: PushContent): boolean =>
    id !== undefined &&
    client.connection.getSnapshot().status === 'online' &&
    client.conversation(id).getSnapshot()?.unreadCount === 0;
  unread.subscribe(() => {
    const { messages } = unread.getSnapshot();
    if (messages < before) void close(isRead);
    before = messages;
  });
  return (push) => {
    const { conversation_id: id = '', message_id: message } = push;
    const isKnown = client.conversation(id).getSnapshot()?.lastMessage?.id === message;
    if (isKnown && isRead(push)) void close((one) => one.message_id === message);
  };
}

function added<T>(set: Set<T>, item: T): () => void {
  set.add(item);
  return () => set.delete(item);
}
