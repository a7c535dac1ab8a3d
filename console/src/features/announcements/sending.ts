import { useRef, useState } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { PAGE_SIZE } from '../../api/queries.ts';
import { RequestFailure } from '../../api/failure.ts';
import { rest, type AppIds } from '../../api/rest.ts';

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

const BATCH = 1_000;

/** Answers the next recipients; undefined after the last ones. */
type Source = () => Promise<string[] | undefined>;
type Batch = { id: string; recipients: string[] };
/** What is left to do; a batch that may have been accepted keeps its id, so that its repeat has no second effect. */
type Job = { draft: Draft; next: Source; waiting?: Batch | undefined };

/** Sends an announcement in batches of recipients, each of which is one announcement of the API. */
export function useSending(app: AppIds) {
  const [progress, setProgress] = useState<SendingProgress>();
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const job = useRef<Job>(undefined);
  const isStopped = useRef(false);

  async function work(sentBefore: number, total: number): Promise<void> {
    let sent = sentBefore;
    isStopped.current = false;
    setRunning(true);
    setError(null);
    try {
      while (!isStopped.current && job.current) {
        const current = job.current;
        current.waiting ??= await nextBatch(current);
        if (!current.waiting) {
          setProgress({ sent, total: sent, isComplete: true });
          job.current = undefined;
          break;
        }
        await sendBatch(app, current.draft, current.waiting);
        sent += current.waiting.recipients.length;
        current.waiting = undefined;
        setProgress({ sent, total: Math.max(total, sent), isComplete: false });
      }
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  }

  async function start(draft: Draft): Promise<void> {
    const next = draft.audience === 'all' ? allUsers(app.appUuid) : named(draft.recipients);
    job.current = { draft, next };
    setRunning(true);
    const total = draft.audience === 'all' ? await countUsers(app.appUuid) : linesOf(draft.recipients).length;
    setProgress({ sent: 0, total, isComplete: false });
    await work(0, total);
  }

  return {
    progress,
    error,
    isRunning,
    start: (draft: Draft) => void start(draft),
    stop: () => {
      isStopped.current = true;
    },
    resume: () => void work(progress?.sent ?? 0, progress?.total ?? 0),
  };
}

async function nextBatch({ next }: Job): Promise<Batch | undefined> {
  const recipients = await next();
  return recipients && { id: crypto.randomUUID(), recipients };
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
  await rest(app, '/announcements', { method: 'POST', body }).catch((failure: unknown) => {
    // It was accepted before, and the answer was lost.
    if (!(failure instanceof RequestFailure) || failure.errorId !== 'id_in_use') throw failure;
  });
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

function named(recipients: string): Source {
  const all = linesOf(recipients);
  let at = 0;
  return () => {
    const batch = all.slice(at, at + BATCH);
    at += BATCH;
    return Promise.resolve(batch.length > 0 ? batch : undefined);
  };
}

async function countUsers(appUuid: string): Promise<number> {
  return ADMIN.getStatistics({ appUuid }).then(
    ({ users }) => users,
    () => 0,
  );
}

/** A page that could not be read is read again by the next call. */
function allUsers(appUuid: string): Source {
  let from = '';
  let isDone = false;
  return async () => {
    const batch: string[] = [];
    let fromId = from;
    while (!isDone && batch.length < BATCH) {
      const { users, hasMore } = await ADMIN.searchUsers({ appUuid, pageSize: PAGE_SIZE, fromId });
      batch.push(...users.map(({ userId }) => userId));
      fromId = users.at(-1)?.userId ?? fromId;
      isDone = users.length === 0 || (users.length < PAGE_SIZE && !hasMore);
    }
    from = fromId;
    return batch.length > 0 ? batch : undefined;
  };
}
