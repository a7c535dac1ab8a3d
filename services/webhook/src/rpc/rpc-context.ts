import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Context } from '../context.ts';
import type { Deliveries } from '@parley/outbound/deliveries';
import type { Recipients } from '../delivery/recipient-statuses.ts';
import type { Verifier } from '../verification/verifier.ts';

/** Parts of the process that calls work with. */
export type Parts = { verifier: Verifier; deliveries: Deliveries; recipients: Recipients };

export type RpcContext = Context & Parts & { shares: PoolShares };
