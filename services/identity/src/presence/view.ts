import { create } from '@parley/codec';
import {
  PresenceSchema,
  PresenceStatus,
  type Presence,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { PresenceRow } from '../sql/presence.ts';

/** The status that a user has: the one they chose, or offline without a socket. */
function effectiveStatus({ status, is_connected }: PresenceRow): PresenceStatus {
  return is_connected ? status : PresenceStatus.OFFLINE;
}

/** The status that other users see. */
export function visibleStatus(row: PresenceRow): PresenceStatus {
  const status = effectiveStatus(row);
  return status === PresenceStatus.INVISIBLE ? PresenceStatus.OFFLINE : status;
}

export function toPresence(row: PresenceRow, hidden = false): Presence {
  const presence = create(PresenceSchema, {
    userId: row.user_id,
    status: effectiveStatus(row),
    changedAt: row.changed_at,
    version: row.version,
    hidden,
  });
  if (row.last_seen_at !== null) presence.lastSeenAt = row.last_seen_at;
  return presence;
}

export type PresenceStep = { connected: boolean; status: PresenceStatus; at: number };

/**
 * The row after a step; undefined if nothing changes. An invisible user was last seen, for other users, when they
 * became invisible.
 */
export function stepPresence(
  before: PresenceRow,
  { connected, status, at }: PresenceStep,
): PresenceRow | undefined {
  const after = { ...before, status: status || before.status, is_connected: connected };
  if (after.status === before.status && connected === before.is_connected) return undefined;
  after.version += 1;
  if (visibleStatus(after) === visibleStatus(before)) return after;
  return { ...after, last_seen_at: at, changed_at: at };
}
