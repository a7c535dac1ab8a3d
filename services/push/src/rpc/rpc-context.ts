import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Context } from '../context.ts';
import type { Sender } from '../delivery/send.ts';

export type RpcContext = Context & { sender: Sender; shares: PoolShares };
