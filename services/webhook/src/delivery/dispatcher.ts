import { detach } from '@parley/kit/request-context';
import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Context } from '../context.ts';
import {
  claimDeliveries,
  type AppShare,
  type ClaimedDelivery,
  type WebhookRoom,
} from '../sql/delivery-claim.ts';
import { createRooms, START } from './concurrency-limiter.ts';

export type Dispatcher = { wake(): void; stop(): Promise<void> };

/** Never rejects; says whether the target answered well, and quickly. */
export type Attempt = (delivery: ClaimedDelivery) => Promise<{ quick: boolean }>;

const POLL_MS = 500;
const MOST_AT_ONCE = 256;
/** How much of its share an application must have again for a claim to be worth its statement. */
const WORTH_A_CLAIM = 4;

/**
 * Claims what is due as long as there is room, and attempts it. Claims go round through the applications, and in each
 * through its webhooks. Each webhook gets no more than its own room, and each application no more than its share: what
 * is slow or dead, or much, keeps no other waiting.
 */
export function createDispatcher({ db, log, clock }: Context, worker: string, attempt: Attempt): Dispatcher {
  const rooms = createRooms();
  const running = new Set<Promise<void>>();
  // Webhooks whose last claim took all that they had room for.
  const hungry = new Set<string>();
  const outside = detach();
  // Applications whose last claim took all of their share, with the webhook that it ended at.
  const ends = new Map<string, string>();
  let after = NIL_UUID;
  let filling: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let cancelPoll: () => void = () => undefined;

  async function claim(): Promise<void> {
    const limit = Math.min(MOST_AT_ONCE, rooms.free());
    if (limit <= 0) return;
    const known = rooms.list();
    const shares = sharesOf();
    const rows = await claimDeliveries(db, {
      ...{ worker, now: clock.now(), after, limit },
      ...{ rooms: known, room: START, shares, share: rooms.share() },
    });
    noteHungry(rows, known);
    const isRestarted = noteEnds(rows, limit);
    again ||= rows.length >= limit || after !== NIL_UUID || isRestarted;
    after = rows.length >= limit ? lastOf(rows.map(({ app_id }) => app_id)) : NIL_UUID;
    for (const row of rows) begin(row);
  }

  function sharesOf(): AppShare[] {
    const appIds = new Set([...rooms.listShares().map(({ app_id }) => app_id), ...ends.keys()]);
    return [...appIds].map((app_id) => ({
      ...{ app_id, share: rooms.share(app_id), after_webhook_id: ends.get(app_id) ?? NIL_UUID },
    }));
  }

  function noteHungry(rows: readonly ClaimedDelivery[], known: readonly WebhookRoom[]): void {
    for (const { webhook_id, room } of known) if (room > 0) hungry.delete(webhook_id);
    const roomOf = new Map(known.map(({ webhook_id, room }) => [webhook_id, room]));
    for (const [id, own] of Map.groupBy(rows, ({ webhook_id }) => webhook_id)) {
      if (own.length >= (roomOf.get(id) ?? START)) hungry.add(id);
    }
  }

  /** True: an application had nothing more behind the webhook that it ended at, and begins anew. */
  function noteEnds(rows: readonly ClaimedDelivery[], limit: number): boolean {
    const byApp = Map.groupBy(rows, ({ app_id }) => app_id);
    const cut = rows.length >= limit ? lastOf([...byApp.keys()]) : undefined;
    const passed = [...ends.keys()].filter((appId) => rooms.share(appId) > 0);
    for (const appId of passed) ends.delete(appId);
    for (const [appId, own] of byApp) {
      if (own.length < rooms.share(appId) && appId !== cut) continue;
      ends.set(appId, lastOf(own.map(({ webhook_id }) => webhook_id)));
    }
    return passed.some((appId) => !ends.has(appId));
  }

  function begin(row: ClaimedDelivery): void {
    rooms.begin(row);
    const work: Promise<void> = attempt(row).then(({ quick }) => {
      rooms.end(row, quick);
      running.delete(work);
      if (isWorthAClaim(row) || rooms.free() === 1) wake();
    });
    running.add(work);
  }

  function isWorthAClaim({ app_id, webhook_id }: ClaimedDelivery): boolean {
    if (ends.has(app_id)) return rooms.share(app_id) >= WORTH_A_CLAIM;
    return hungry.has(webhook_id) && rooms.isRoomy(webhook_id);
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

/** The last one in the order in which the database has ids. */
function lastOf(ids: readonly string[]): string {
  return ids.reduce((last, id) => (id > last ? id : last), NIL_UUID);
}
