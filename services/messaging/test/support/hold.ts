import { createDatabase, type Database } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import type { Room } from './actions.ts';
import type { TestMessaging } from './service.ts';

export type Holder = {
  /** Locks conversations as another transaction would, and returns the function that ends it. */
  hold(rooms: readonly Room[]): Promise<() => Promise<void>>;
  /** Ends transactions that a failed test left open. */
  releaseAll(): Promise<void>;
  db: Database;
};

/** Separate connections, each of which may hold conversations. */
export function createHolder({ ctx: { config, log, cell } }: TestMessaging): Holder {
  const db = createDatabase({ url: config.databaseUrl, poolSize: 8, log, applicationName: 'holder', cell });

  const releases = new Set<() => Promise<void>>();

  async function hold(rooms: readonly Room[]): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let note: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (note = resolve));
    const ended = db.tx(async (tx) => {
      await tx.execute(STAYS_OPEN);
      await tx.execute({
        text: `
            select from conversation
            where (app_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) order by id for no key update`,
        values: [rooms.map(({ appId }) => appId), rooms.map(({ conversationId }) => conversationId)],
      });
      note();
      await released;
    }, HELD);
    await Promise.race([held, ended]);
    const end = (): Promise<void> => {
      releases.delete(end);
      release();
      return ended;
    };
    releases.add(end);
    return end;
  }

  async function releaseAll(): Promise<void> {
    await Promise.allSettled([...releases].map((end) => end()));
  }

  return { hold, releaseAll, db };
}
