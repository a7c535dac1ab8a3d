import { servePushes, type PushWorker } from '../../../src/web-push.ts';

/** Shows pushes in a language that their data chooses. */
export function serve(worker: PushWorker): void {
  servePushes(worker, { title: 'A message', notification: ({ data }) => ({ lang: data ? 'de' : 'en' }) });
}
