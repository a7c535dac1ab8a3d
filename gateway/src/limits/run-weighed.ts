import type { GatewayContext } from '../context.ts';
import type { ApiRequest } from '../routes/route.ts';

type Weighed<T> = { weight: number; work: () => Promise<T> };

/**
 * Weighs a request that may be as large as a patch, and runs it: one that weighs more than an ordinary request takes a place
 * among the patches under way, a small one none. Problems: rate_limit_exceeded.
 */
export function runWeighed<T>(
  { limits }: Pick<GatewayContext, 'limits'>,
  request: ApiRequest,
  { weight, work }: Weighed<T>,
): Promise<T> {
  request.weigh(weight);
  return weight > 1 ? limits.concurrency.run('patch', request, work) : work();
}
