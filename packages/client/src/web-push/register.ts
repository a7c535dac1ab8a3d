import type { Client } from '../api/client.ts';

/** The registration of a service worker, as far as subscribing needs it: a `ServiceWorkerRegistration`. */
export type PushSubscriber = {
  readonly pushManager: {
    subscribe(options: { userVisibleOnly: boolean; applicationServerKey: string }): Promise<Subscription>;
    getSubscription(): Promise<Pick<Subscription, 'unsubscribe'> | null>;
  };
  readonly installing?: InstallingWorker | null;
  readonly waiting?: InstallingWorker | null;
  readonly active?: object | null;
};

type InstallingWorker = {
  readonly state: string;
  addEventListener(type: 'statechange', listener: () => void): void;
};

type Subscription = {
  toJSON(): { endpoint?: string; keys?: Readonly<Record<string, string>> };
  unsubscribe(): Promise<boolean>;
};

export type RegisterPushOptions = {
  /** Names this browser among the user's devices; by default a name that follows from the subscription. */
  readonly deviceId?: string;
};

/**
 * Subscribes the browser to pushes, and has the platform send them to it until `logout`. Call it when the user has asked for
 * notifications, and again at every start, since browsers renew subscriptions; without the user's permission the browser asks.
 *
 * @param client The client of the user.
 * @param worker The registration of the service worker that shows the pushes.
 * @param options `deviceId`: by default a name that follows from the subscription.
 * @throws ParleyError what the platform answers, or `network_error`; DOMException `NotAllowedError` without permission.
 * @example await registerPush(client, await navigator.serviceWorker.register('/worker.js', { type: 'module' }));
 */
export async function registerPush(
  client: Pick<Client, 'request' | 'push'>,
  worker: PushSubscriber,
  { deviceId }: RegisterPushOptions = {},
): Promise<void> {
  const { public_key: key } = (await client.request('GET', '/push_key')) as { public_key: string };
  await untilActive(worker);
  const { endpoint: token = '', keys } = (await subscribe(worker, key)).toJSON();
  await client.push.register({ token, type: 'web', keys, deviceId: deviceId ?? (await nameOf(token)) });
}

/**
 * Ends the pushes to this browser, at the platform and at the browser's push service. The session goes on.
 *
 * @param client The client of the user.
 * @param worker The registration of the service worker that shows the pushes.
 * @throws ParleyError what the platform answers, or `network_error`: the browser is subscribed then as before.
 * @example await unregisterPush(client, worker);
 */
export async function unregisterPush(
  client: Pick<Client, 'push'>,
  { pushManager }: PushSubscriber,
): Promise<void> {
  await client.push.unregister();
  await (await pushManager.getSubscription())?.unsubscribe();
}

/** Browsers subscribe no worker that is being installed, as at the first visit. */
function untilActive({ active, installing, waiting }: PushSubscriber): Promise<void> | undefined {
  const coming = active ? undefined : (waiting ?? installing);
  if (!coming) return undefined;
  return new Promise((resolve) => {
    const look = (): void => {
      if (coming.state === 'activated' || coming.state === 'redundant') resolve();
    };
    coming.addEventListener('statechange', look);
    look();
  });
}

async function subscribe(
  { pushManager }: PushSubscriber,
  applicationServerKey: string,
): Promise<Subscription> {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // A subscription with the key of another application stands in the way.
    const { name } = Object(error);
    const known = name === 'InvalidStateError' && (await pushManager.getSubscription());
    if (!known) throw error;
    await known.unsubscribe();
    return pushManager.subscribe(options);
  }
}

const NAME_BYTES = 16;

/** A name that follows from the subscription and does not reveal it. */
async function nameOf(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const digits = [...new Uint8Array(hash, 0, NAME_BYTES)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `browser-${digits.join('')}`;
}
