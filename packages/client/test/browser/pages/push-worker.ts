import { servePushes, type PushWorker } from '../../../src/web-push.ts';

/** The channel on which the worker says the title of each notification that it has shown. */
export const SHOWN = 'shown';

/** Shows pushes in a language that their data chooses. */
export function serve(worker: PushWorker): void {
  const channel = new BroadcastChannel(SHOWN);
  const { registration } = worker;
  const show = registration.showNotification.bind(registration);
  registration.showNotification = async (title, options) => {
    await show(title, options);
    channel.postMessage(title);
  };
  servePushes(worker, { title: 'A message', notification: ({ data }) => ({ lang: data ? 'de' : 'en' }) });
}
