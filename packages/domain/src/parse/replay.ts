import { DELIVERY_STATUSES, REPLAYED_STATUSES } from '@parley/contract/values';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { DELIVERY_STATUS_NAMES } from '../json/delivery.ts';
import { parseTime } from '../json/time.ts';
import { parseName } from './choice.ts';
import { invalid, missing, optionalText, parseObject, type Fields } from './fields.ts';

export type Replay = { status: DeliveryStatus; from: number; until: number };

/**
 * The deliveries to send again: of events from `from` on, before `until` (default: now), by default only dead letters. Fails with
 * missing_property (from), invalid_property.
 */
export function parseReplay(body: unknown, now: number): Replay {
  const fields = parseObject(body);
  const from = timeOf(fields, 'from') ?? missing('from');
  const until = timeOf(fields, 'until') ?? now;
  const status = parseName(REPLAYED_STATUSES, optionalText(fields, 'status') ?? 'dead', 'status');
  return { status: DELIVERY_STATUS_NAMES[status], from, until };
}

/** Parses the status in a query; null: any status. Fails with invalid_property. */
export function parseDeliveryStatus(name: string | null): DeliveryStatus {
  if (name === null) return DeliveryStatus.UNSPECIFIED;
  return DELIVERY_STATUS_NAMES[parseName(DELIVERY_STATUSES, name, 'status')];
}

function timeOf(fields: Fields, name: string): number | undefined {
  const text = optionalText(fields, name);
  return text === undefined ? undefined : (parseTime(text) ?? invalid(name, 'must be an ISO 8601 time.'));
}
