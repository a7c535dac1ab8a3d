import { useRef, useState } from 'react';
import { newId, ParleyError } from '@parley/client/server';
import { ADMIN } from '../../api/admin.ts';
import type { AppIds } from '../../api/app-ids.ts';
import { PAGE_ROWS } from '../../api/next-page.ts';
import { writeServer } from '../../api/server.ts';
import { batchesOf, batchesOfPages, linesOf, type NextRecipients, type UserPage } from './recipients.ts';

/** An announcement that is being written. `recipients` has a user id in each line. */
export type Draft = {
  sender: string;
  text: string;
  title: string;
  audience: 'all' | 'some';
  recipients: string;
};

/** `total` is a number from the statistics, of which some may be the application's bots. */
export type SendingProgress = { sent: number; total: number; isComplete: boolean };

type Batch = { id: string; recipients: string[] };
/** Work that is left; a batch that may have been accepted keeps its id, so that its repeat has no second effect. */
type Job = { draft: Draft; next: NextRecipients; waiting?: Batch | undefined };

/** Sends an announcement in batches of recipients, each of which is one announcement of the API. */
export function useSending(app: AppIds) {
  const [progress, setProgress] = useState<SendingProgress>();
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const job = useRef<Job>(undefined);
  const isStopped = useRef(false);

  async function work(before: SendingProgress): Promise<void> {
    isStopped.current = false;
    setRunning(true);
    setError(null);
    try {
      let now = before;
      while (!isStopped.current && job.current && !now.isComplete) {
        now = await sendNext(app, job.current, now);
        setProgress(now);
      }
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  }

  async function start(draft: Draft): Promise<void> {
    job.current = { draft, next: recipientsOf(app.appUuid, draft) };
    setRunning(true);
    const begin = { sent: 0, total: await countRecipients(app.appUuid, draft), isComplete: false };
    setProgress(begin);
    await work(begin);
  }

  return {
    progress,
    error,
    isRunning,
    start: (draft: Draft) => void start(draft),
    stop: () => {
      isStopped.current = true;
    },
    resume: () => void (progress && work(progress)),
  };
}

/** Sends the next batch, and answers how far the job is. */
async function sendNext(app: AppIds, job: Job, { sent, total }: SendingProgress): Promise<SendingProgress> {
  job.waiting ??= await nextBatch(job);
  if (!job.waiting) return { sent, total: sent, isComplete: true };
  await sendBatch(app, job.draft, job.waiting);
  const done = sent + job.waiting.recipients.length;
  job.waiting = undefined;
  return { sent: done, total: Math.max(total, done), isComplete: false };
}

async function nextBatch({ next }: Job): Promise<Batch | undefined> {
  const recipients = await next();
  return recipients && { id: newId(), recipients };
}

async function sendBatch(
  app: AppIds,
  { sender, text, title }: Draft,
  { id, recipients }: Batch,
): Promise<void> {
  const body = {
    id,
    sender_id: sender,
    recipients,
    parts: [{ mime_type: 'text/plain', body: text }],
    ...(title && { notification: { title, text } }),
  };
  await writeServer(app, (server) => server.createAnnouncement(body)).catch((failure: unknown) => {
    // It was accepted before, and the answer was lost.
    if (!(failure instanceof ParleyError) || failure.id !== 'id_in_use') throw failure;
  });
}

function recipientsOf(appUuid: string, { audience, recipients }: Draft): NextRecipients {
  if (audience === 'some') return batchesOf(linesOf(recipients));
  return batchesOfPages((fromId) => readUsers(appUuid, fromId));
}

async function readUsers(appUuid: string, fromId: string): Promise<UserPage> {
  const { users, hasMore } = await ADMIN.searchUsers({ appUuid, pageSize: PAGE_ROWS, fromId });
  // A release before does not say whether there is more.
  return {
    userIds: users.map(({ userId }) => userId),
    hasMore: hasMore || users.length >= PAGE_ROWS,
  };
}

async function countRecipients(appUuid: string, { audience, recipients }: Draft): Promise<number> {
  if (audience === 'some') return linesOf(recipients).length;
  return ADMIN.getStatistics({ appUuid }).then(
    ({ users }) => users,
    () => 0,
  );
}
