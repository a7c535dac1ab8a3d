import { setTimeout as delay } from 'node:timers/promises';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { detach } from '@parley/kit/runtime/request-context';
import type { Gauge } from '@parley/kit/runtime/telemetry/metrics';
import type { Context } from '../context.ts';
import { listBusiestApps, type AppActivity } from '../sql/busiest-app.ts';

const MINUTE_MS = 60_000;
export const BUSY_MINUTES = 5;
/** Applications that each metric names. With the sum of all others it has 20 series, however many applications there are. */
const NAMED_APPS = 19;
/** Processes send what they counted every 5 s. A minute is complete some seconds after its end. */
const LATEST_MS = 10_000;
/** How long a scrape waits for the database. */
const LONGEST_MS = 500;

type Activity = Exclude<keyof AppActivity, 'app_id'>;

/**
 * Metrics of the busiest applications, from the usage metrics by minute. They are computed when the metrics are scraped, with one query for
 * all three; while the database does not answer, the last values are kept.
 */
export function measureBusiestApps({ db, clock, metrics }: Pick<Context, 'db' | 'clock' | 'metrics'>): void {
  const read = shared(() => {
    const now = clock.now() - LATEST_MS;
    const to = now - (now % MINUTE_MS);
    return listBusiestApps(db, { from: to - BUSY_MINUTES * MINUTE_MS, to }, NAMED_APPS);
  });
  const collect = (activity: Activity) =>
    async function (this: Gauge<'app_id'>): Promise<void> {
      const taken = read()
        .then((rows) => {
          this.reset();
          for (const [appId, count] of busiestBy(activity, rows))
            this.set({ app_id: appId }, count / BUSY_MINUTES);
        })
        .catch(() => undefined);
      await Promise.race([taken, delay(LONGEST_MS, undefined, { ref: false })]);
    };
  const labelNames = ['app_id'] as const;
  metrics.gauge({
    name: 'app_messages_per_minute',
    help: 'Messages of the busiest applications, mean of the last five minutes',
    labelNames,
    collect: collect('messages'),
  });
  metrics.gauge({
    name: 'app_requests_per_minute',
    help: 'Requests of the busiest applications, mean of the last five minutes',
    labelNames,
    collect: collect('requests'),
  });
  metrics.gauge({
    name: 'app_deliveries_per_minute',
    help: 'Deliveries to sockets, webhooks and push services of the busiest applications, mean of the last five minutes',
    labelNames,
    collect: collect('deliveries'),
  });
}

/** The busiest applications, and the rest of the platform as `other`: also what belongs to no application. */
export function busiestBy(
  activity: Activity,
  rows: readonly AppActivity[],
): [appId: string, count: number][] {
  const apps = rows.filter((row) => row.app_id !== NIL_UUID && row[activity] > 0);
  const loudest = apps.toSorted((a, b) => b[activity] - a[activity]).slice(0, NAMED_APPS);
  const named = loudest.reduce((sum, row) => sum + row[activity], 0);
  const platform = rows.find((row) => row.app_id === NIL_UUID)?.[activity] ?? 0;
  return [
    ...loudest.map((row): [string, number] => [row.app_id, row[activity]]),
    // The sums are of one snapshot, but the figures of a deleted application go first.
    ['other', Math.max(0, platform - named)],
  ];
}

/** A call that is under way serves later callers too. */
function shared<T>(call: () => Promise<T>): () => Promise<T> {
  const runDetached = detach();
  let under: Promise<T> | undefined;
  return () => (under ??= runDetached(call).finally(() => (under = undefined)));
}
