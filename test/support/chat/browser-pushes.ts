import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  startWebPushService,
  type BrowserSubscription,
  type WebPushService,
} from '@parley/testing/doubles/web-push-service';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { generate } from 'selfsigned';
import { until } from '../until.ts';

/** A push service, and what the platform needs to know of it. */
export type PushServiceOfBrowsers = {
  web: WebPushService;
  /** Environment of the platform's processes. */
  env: Record<'identity' | 'push', Record<string, string>>;
  stop(): Promise<void>;
};

export async function startPushServiceOfBrowsers(): Promise<PushServiceOfBrowsers> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-pushes-'));
  const ca = path.join(folder, 'ca.pem');
  writeFileSync(ca, cert);
  const web = await startWebPushService({ key, cert });
  const hosts = { PARLEY_PUSH_WEB_HOSTS: 'localhost' };
  const push = { ...hosts, PARLEY_PUSH_ALLOWED_CIDRS: '127.0.0.0/8,::1/128', NODE_EXTRA_CA_CERTS: ca };
  return {
    web,
    env: { identity: hosts, push },
    async stop() {
      await web.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Has the browser subscribe at that push service: no browser subscribes at its maker's without the network. All else is the browser's
 * own. A subscription is kept for each worker until it is unsubscribed.
 */
export async function subscribeAt(context: BrowserContext, web: WebPushService): Promise<void> {
  const subscriptions = new Map<string, BrowserSubscription>();
  await context.exposeFunction('subscribeForTest', (scope: string, key: string) => {
    const known = subscriptions.get(scope) ?? web.subscribe(key);
    subscriptions.set(scope, known);
    return known;
  });
  await context.exposeFunction('subscriptionForTest', (scope: string) => subscriptions.get(scope) ?? null);
  await context.exposeFunction('unsubscribeForTest', (scope: string) => subscriptions.delete(scope));
  await context.addInitScript(`if (globalThis.ServiceWorkerRegistration) {
    const scopes = new WeakMap();
    const managerOf = Object.getOwnPropertyDescriptor(ServiceWorkerRegistration.prototype, 'pushManager').get;
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', {
      get() { const manager = managerOf.call(this); scopes.set(manager, this); return manager; },
    });
    const toSubscription = (scope, value) =>
      value && { toJSON: () => value, unsubscribe: () => window.unsubscribeForTest(scope) };
    PushManager.prototype.subscribe = async function ({ applicationServerKey }) {
      const { active, scope } = scopes.get(this);
      if (!active) throw new DOMException('Subscription failed - no active Service Worker', 'AbortError');
      return toSubscription(scope, await window.subscribeForTest(scope, applicationServerKey));
    };
    PushManager.prototype.getSubscription = async function () {
      const { scope } = scopes.get(this);
      return toSubscription(scope, await window.subscriptionForTest(scope));
    };
  }`);
}

type Registration = { registrationId: string; scopeURL: string };

/**
 * Hands pushes to the service workers of a page's origin, as the browser's push service would; resolves when one is shown: Chromium
 * drops a notification that is not on the screen yet when a page asks for all of them.
 */
export async function openDelivery(page: Page): Promise<(scope: string, payload: object) => Promise<void>> {
  const registrations = new Map<string, Registration>();
  const devtools: CDPSession = await page.context().newCDPSession(page);
  devtools.on('ServiceWorker.workerRegistrationUpdated', (event) => {
    for (const one of event.registrations) registrations.set(one.scopeURL, one);
  });
  await devtools.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  let shown = 0;
  await page.exposeFunction('countShown', () => ++shown);
  const listen = `navigator.serviceWorker.addEventListener('message',
    ({ data }) => data.type === 'parley-push-shown' && window.countShown())`;
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return async (scope, payload) => {
    const { registrationId } = await until('the worker is registered', () =>
      registrations.get(origin + scope),
    );
    const before = shown;
    const data = JSON.stringify(payload);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await until('it is shown', () => shown > before || undefined);
  };
}

/** Runs in a page: the notifications that all workers of its origin show. */
export const SHOWN_TITLES = `(async () => {
  const workers = await navigator.serviceWorker.getRegistrations();
  const shown = await Promise.all(workers.map((worker) => worker.getNotifications()));
  return shown.flat().map(({ title, body }) => title + ': ' + body).toSorted();
})()`;

/** Runs in a service worker: the user clicks the first of its notifications. */
export const CLICK_FIRST = `(async () => {
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent('notificationclick', { notification }));
})()`;
