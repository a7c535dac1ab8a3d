import type { Caller } from './concurrency.ts';
import type { Limits, Weigh } from './index.ts';

type Request = Caller & { tokenId: string; weigh: Weigh };
type Weighed<T> = { weight: number; work: () => Promise<T> };

/**
 * Charges for a request by its weight, and runs it. One that weighs more than an ordinary request takes a place among the
 * patches under way. Problems: rate_limit_exceeded.
 */
export function runWeighed<T>(
  { limits }: { limits: Pick<Limits, 'concurrency'> },
  request: Request,
  { weight, work }: Weighed<T>,
): Promise<T> {
  request.weigh(weight);
  return weight > 1 ? limits.concurrency.run('patch', request, work) : work();
}
