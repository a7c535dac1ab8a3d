import type { TestMessaging } from './service.ts';

export type KnownBatches = { stored: number; outdated: number };

/** The batches of messages that a service has tried to store without reading first. */
export async function countKnownBatches({ ctx }: TestMessaging): Promise<KnownBatches> {
  const metric = await ctx.metrics.registry.getSingleMetric('known_batches_total')?.get();
  const of = (outcome: string): number =>
    metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  return { stored: of('stored'), outdated: of('outdated') };
}
