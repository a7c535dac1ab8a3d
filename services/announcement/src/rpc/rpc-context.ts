import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Context } from '../context.ts';

/** Wakes background work that a call has queued. */
export type Wakers = { fanOut(): void };

export type RpcContext = Context & { wakers: Wakers; shares: PoolShares };
