import { REPLACED_AFTER_MS } from '@parley/kit/bus/connect';
import { REBROADCAST_AFTER_MS } from '@parley/kit/bus/rebroadcast';
import { GATHER_MS, JITTER_MS } from '../repair/catch-up.ts';
import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import { CALL_TIMEOUT_MS } from './user-events.ts';

/** Repair time of a single lost message: its owner sends it again, and this gateway reads the log. Milliseconds. */
const LOST_MESSAGE_MS = REBROADCAST_AFTER_MS + CALL_TIMEOUT_MS;
/** Repair time of a dead connection to the broker: it is replaced, and this gateway reads the logs. Milliseconds. */
const LOST_LINK_MS = REPLACED_AFTER_MS + JITTER_MS + CALL_TIMEOUT_MS + GATHER_MS;

/**
 * A client begins a replay this long before the time of its last packet: a change may reach a socket this long after a later change, and
 * host clocks may differ. The longest transaction, after which a change may be committed later than its timestamp, is not included, since
 * every log looks back by as much itself. Seconds.
 */
export const REPLAY_OVERLAP_SECONDS = Math.ceil(
  (Math.max(LOST_MESSAGE_MS, LOST_LINK_MS) + CLOCK_SKEW_MS) / 1000,
);
