import type { Sql } from '@parley/kit/postgres';
import { chooseDueDeliveries, claimValues, type Claim } from '@parley/outbound/turns/claim-sql';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { Provider } from '../provider/route.ts';

type Claimed = {
  app_id: string;
  target_id: string;
  id: string;
  user_id: string;
  device_id: string;
  provider: Provider;
  /** Milliseconds. */
  created_at: number;
  expires_at: number;
  /** Attempts so far. */
  attempts: number;
};

/** A delivery with everything that an attempt needs. */
export type ClaimedDelivery = Claimed & {
  event_id: string;
  conversation_id: string | null;
  message_id: string | null;
  /** Whether another service awaits the result. */
  is_awaited: boolean;
  /** Trace of the request that led to the push, if that is traced. */
  traceparent: string | null;
  /** parley.push.v1.PushContent */
  content: Uint8Array;
  withdrawal_version: null;
};

/** A silent push that takes notifications away from a phone; its version grows whenever it is asked for again. */
export type ClaimedWithdrawal = Claimed & { withdrawal_version: number };

const DUE = chooseDueDeliveries({
  target: 'target_id',
  waiting: `status = ${PushDeliveryStatus.PENDING} and claimed_by is null`,
});

/** Claims due deliveries, application by application and within each target by target, up to their shares and capacities. */
export function claimDeliveries(sql: Sql, claim: Claim): Promise<(ClaimedDelivery | ClaimedWithdrawal)[]> {
  return sql.query<ClaimedDelivery | ClaimedWithdrawal>({
    name: 'claim_deliveries',
    text: `${DUE}
      update delivery d set claimed_by = $1
      from chosen
      where d.app_id = chosen.app_id and d.target_id = chosen.target_id and d.id = chosen.id
      returning d.app_id, d.target_id, d.id, d.event_id, d.user_id, d.device_id, d.provider, d.conversation_id, d.message_id,
        d.created_at, d.expires_at, d.attempts, d.is_awaited, d.content, d.withdrawal_version, d.traceparent`,
    values: claimValues(claim),
  });
}
