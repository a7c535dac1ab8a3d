import type { Caller } from './concurrency.ts';
import type { Limits, Weigh } from './index.ts';

type Request = Caller & { tokenId: string; weigh: Weigh };
type Weighed<T> = { weight: number; work: () => Promise<T> };

/**
 * Charges for a request by its weight and runs it. A request that weighs more than an ordinary one also takes a concurrency slot of
 * patches. Problems: rate_limit_exceeded.
 */
export function runWeighed<T>(
  { limits }: { limits: Pick<Limits, 'concurrency'> },
  request: Request,
  { weight, work }: Weighed<T>,
): Promise<T> {
  request.weigh(weight);
  return weight > 1 ? limits.concurrency.run('patch', request, work) : work();
}
