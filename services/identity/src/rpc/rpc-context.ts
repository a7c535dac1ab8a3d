import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Context } from '../context.ts';

export type RpcContext = Context & { shares: PoolShares };
