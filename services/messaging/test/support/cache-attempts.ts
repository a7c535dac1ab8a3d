import type { TestMessaging } from './service.ts';

export type CacheAttempts = { stored: number; stale: number };

/** The attempts of a service to store batches of messages from its cache, by outcome. */
export async function countCacheAttempts({ ctx }: TestMessaging): Promise<CacheAttempts> {
  const metric = await ctx.metrics.registry.getSingleMetric('cached_batches_total')?.get();
  const of = (outcome: string): number =>
    metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  return { stored: of('stored'), stale: of('stale') };
}
