import type { Presence as PresenceJson, PresenceStatus } from '@parley/contract/records/presence';
import {
  PresenceStatus as Status,
  type Presence,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { isoTimeOrNull } from './time.ts';

const STATUS_NAMES = {
  [Status.UNSPECIFIED]: 'offline',
  [Status.AVAILABLE]: 'available',
  [Status.AWAY]: 'away',
  [Status.BUSY]: 'busy',
  [Status.OFFLINE]: 'offline',
  [Status.INVISIBLE]: 'invisible',
} as const satisfies Record<Status, PresenceStatus>;

const STATUS_BY_NAME = new Map<string, Status>(
  [Status.AVAILABLE, Status.AWAY, Status.BUSY, Status.OFFLINE, Status.INVISIBLE].map((status) => [
    STATUS_NAMES[status],
    status,
  ]),
);

export function presenceStatusNamed(name: string): Status | undefined {
  return STATUS_BY_NAME.get(name);
}

/**
 * JSON of a presence. Only the users themselves see that they are invisible. Without a record the user is offline and was never seen.
 * docs/protocol/records.md#presence
 */
export function presenceJson(
  presence: Pick<Presence, 'status' | 'lastSeenAt'> | undefined,
  isOwn: boolean,
): PresenceJson {
  const status = STATUS_NAMES[presence?.status ?? Status.OFFLINE];
  return {
    status: status === 'invisible' && !isOwn ? 'offline' : status,
    last_seen_at: isoTimeOrNull(presence?.lastSeenAt),
  };
}
