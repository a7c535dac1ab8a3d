import { startInterval } from '../runtime/clock/index.ts';
import type { Database } from './index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { isNear, MOST_OFF_MS, type FollowedClock } from '../runtime/clock/followed-clock.ts';

const EVERY_MS = 5_000;

type Options = { db: Database; clock: FollowedClock; log: Logger };

/**
 * Reads the database's clock before it resolves, and then every five seconds, so that `clock` follows it. Logs when the machine's clock
 * starts or stops deviating too far from it. Rejects when the first reading fails; the result stops it.
 */
export async function followDatabase({ db, clock, log }: Options): Promise<() => void> {
  let wasNear = true;
  async function read(): Promise<void> {
    const askedAt = clock.elapsed();
    const theirs = await readDatabaseTime(db);
    clock.learn({ theirs, askedAt, answeredAt: clock.elapsed() });
    if (isNear(clock) === wasNear) return;
    wasNear = !wasNear;
    const aheadMs = Math.round(clock.machineAheadMs());
    if (wasNear) log.info({ aheadMs }, 'the clock of this machine is right again');
    else
      log.error(
        { aheadMs, mostMs: MOST_OFF_MS },
        'the clock of this machine is wrong; not ready until it is set',
      );
  }
  await read();
  let reading: Promise<void> | undefined;
  return startInterval(EVERY_MS, () => {
    reading ??= read()
      .catch((error: unknown) => log.warn({ error }, 'failed to read the clock of the database'))
      .finally(() => (reading = undefined));
  });
}

async function readDatabaseTime(db: Database): Promise<number> {
  const text = `select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const [row] = await db.query<{ now: number }>({ text, name: 'clock' });
  return row?.now ?? fail();
}

function fail(): never {
  throw new Error('the database gave no time');
}
