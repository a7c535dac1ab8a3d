import { detach } from '@parley/kit/request-context';
import type { Context } from '../context.ts';
import { claimDeliveries, type ClaimedDelivery } from '../sql/claim.ts';
import { createRooms, START } from './room.ts';

export type Dispatcher = { wake(): void; stop(): Promise<void> };

/** Never rejects; says whether the target answered well, and quickly. */
export type Attempt = (delivery: ClaimedDelivery) => Promise<{ quick: boolean }>;

const POLL_MS = 500;
const MOST_AT_ONCE = 256;
const START_OF_ALL = '00000000-0000-0000-0000-000000000000';
const first = { app_id: START_OF_ALL, webhook_id: START_OF_ALL };

/**
 * Claims what is due as long as there is room, and attempts it. Claims go round through the webhooks, each getting no
 * more than its own room: what is slow or dead keeps nobody waiting.
 */
export function createDispatcher({ db, log, clock }: Context, worker: string, attempt: Attempt): Dispatcher {
  const rooms = createRooms();
  const running = new Set<Promise<void>>();
  // Webhooks whose last claim took all that they had room for.
  const hungry = new Set<string>();
  const outside = detach();
  let after = first;
  let filling: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let cancelPoll: () => void = () => undefined;

  async function claim(): Promise<void> {
    const limit = Math.min(MOST_AT_ONCE, rooms.free());
    if (limit <= 0) return;
    const known = rooms.list();
    const now = clock.now();
    const rows = await claimDeliveries(db, { worker, now, after, limit, rooms: known, room: START });
    const counts = countByWebhook(rows);
    for (const { webhook_id, room } of known) if (room > 0) hungry.delete(webhook_id);
    for (const [id, count] of counts) {
      if (count >= (known.find(({ webhook_id }) => webhook_id === id)?.room ?? START)) hungry.add(id);
    }
    again ||= rows.length >= limit || after !== first;
    after = rows.length >= limit ? (rows.at(-1) ?? first) : first;
    for (const row of rows) begin(row);
  }

  function begin(row: ClaimedDelivery): void {
    rooms.begin(row.webhook_id);
    const work: Promise<void> = attempt(row).then(({ quick }) => {
      rooms.end(row.webhook_id, quick);
      running.delete(work);
      const isHungry = hungry.has(row.webhook_id) && rooms.isRoomy(row.webhook_id);
      if (isHungry || rooms.free() === 1) wake();
    });
    running.add(work);
  }

  async function fill(): Promise<void> {
    do {
      again = false;
      try {
        await claim();
      } catch (error) {
        log.warn({ error }, 'deliveries cannot be claimed');
        return;
      }
    } while (again && !stopped);
  }

  function wake(): void {
    again = true;
    if (!stopped) filling ??= outside(fill).finally(() => (filling = undefined));
  }

  function poll(): void {
    wake();
    if (!stopped) cancelPoll = clock.setTimer(POLL_MS, poll);
  }

  poll();
  return {
    wake,
    async stop() {
      stopped = true;
      cancelPoll();
      await filling;
      await Promise.all(running);
    },
  };
}

function countByWebhook(rows: readonly ClaimedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { webhook_id } of rows) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + 1);
  return counts;
}
