import { eachApart } from '@parley/kit/durable/work/apart';
import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { recordPresences } from '../presence/record.ts';
import {
  deleteSilentGateway,
  listHeldBy,
  listSilentGateways,
  type SilentGatewayRow,
} from '../sql/presence.ts';

const MAX_SILENCE_MS = 10_000;
const BATCH = 2000;

/** Sets users offline whose only connections were at a gateway that is silent, as of the gateway's last report. */
export async function releaseSilentGateways(ctx: Context): Promise<void> {
  const silent = await listSilentGateways(ctx.db, ctx.clock.now() - MAX_SILENCE_MS);
  await eachApart(silent, (gateway) => release(ctx, gateway));
}

async function release(ctx: Context, gateway: SilentGatewayRow): Promise<void> {
  const { gateway_id: gatewayId, seen_at: seenAt } = gateway;
  for (let held = BATCH; held === BATCH;) {
    const users = await listHeldBy(ctx.db, gatewayId, BATCH);
    held = users.length;
    const reports = users.map(({ app_id, user_id }) => {
      return { appId: app_id, userId: user_id, connected: false, status: PresenceStatus.UNSPECIFIED };
    });
    await ctx.db.tx((tx) => recordPresences(ctx, tx, { gatewayId, reports, at: seenAt }));
  }
  await deleteSilentGateway(ctx.db, { gatewayId, seenAt });
}
