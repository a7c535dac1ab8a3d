import { closeNotifications } from '../../../src/web-push.ts';
import { SHOWN } from './push-worker.ts';

export type Shown = { title: string; body: string; tag: string; lang: string; data: unknown };

let count = 0;
const channel = new BroadcastChannel(SHOWN);
channel.onmessage = () => void count++;

/** How many notifications the worker has shown so far. */
export function countShown(): number {
  return count;
}

/** Has a service worker show pushes; resolves when it is active. */
export async function start(): Promise<void> {
  await navigator.serviceWorker.register('/worker.js');
  const { active } = await navigator.serviceWorker.ready;
  while (active && active.state !== 'activated')
    await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
}

/** The notifications that the user sees. */
export async function shown(): Promise<Shown[]> {
  const worker = await navigator.serviceWorker.ready;
  const notifications = await worker.getNotifications();
  return notifications.map(({ title, body, tag, lang, data }) => ({
    title,
    body,
    tag,
    lang,
    data: data as unknown,
  }));
}

/** The user reads a conversation. */
export async function read(conversationId: string): Promise<void> {
  const worker = await navigator.serviceWorker.ready;
  await closeNotifications(worker, ({ conversation_id }) => conversation_id === conversationId);
}
