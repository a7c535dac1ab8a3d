import type { Batcher } from '@parley/kit/flow/batch';

/** Batches of the items of one application at a time, so that none waits for the calls of another. */
export type AppBatchers<Item, Answer> = {
  add(item: Item): Promise<Answer>;
  /** Waits for the answers of all items. */
  stop(): Promise<void>;
};

export function createAppBatchers<Item extends { app_id: string }, Answer>(
  createBatcherOf: (appId: string) => Batcher<Item, Answer>,
): AppBatchers<Item, Answer> {
  const batchers = new Map<string, { batcher: Batcher<Item, Answer>; pending: number }>();
  return {
    async add(item) {
      const appId = item.app_id;
      const own = batchers.get(appId) ?? { batcher: createBatcherOf(appId), pending: 0 };
      batchers.set(appId, own);
      own.pending += 1;
      try {
        return await own.batcher.add(item);
      } finally {
        own.pending -= 1;
        if (own.pending === 0) batchers.delete(appId);
      }
    },
    async stop() {
      await Promise.all([...batchers.values()].map(({ batcher }) => batcher.stop()));
    },
  };
}
