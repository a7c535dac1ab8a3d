/**
 * Pushes to browsers: `registerPush` in the page, `servePushes` in the service worker.
 *
 * @module @parley/client/web-push
 */

export {
  registerPush,
  unregisterPush,
  type PushSubscriber,
  type RegisterPushOptions,
} from './web-push/register.ts';
export {
  servePushes,
  type NotificationLooks,
  type PushWorker,
  type ServePushesOptions,
} from './web-push/serve.ts';
export { closeNotifications, type ShownNotifications } from './web-push/close.ts';
export type { PushContent } from './web-push/content.ts';
