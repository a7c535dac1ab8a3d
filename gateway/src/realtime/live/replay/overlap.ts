import { REPLACED_AFTER_MS } from '@parley/kit/bus/connect';
import { REBROADCAST_AFTER_MS } from '@parley/kit/bus/rebroadcast';
import { GATHER_MS, JITTER_MS } from '../repair/catch-up.ts';
import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import { CALL_TIMEOUT_MS } from './user-events.ts';

/** A single message from the broker was lost: its owner sends it again, and this gateway reads the log. Milliseconds. */
const LOST_MESSAGE_MS = REBROADCAST_AFTER_MS + CALL_TIMEOUT_MS;
/** The connection to the broker was dead for a moment: it is replaced, and this gateway reads the logs. Milliseconds. */
const LOST_LINK_MS = REPLACED_AFTER_MS + JITTER_MS + CALL_TIMEOUT_MS + GATHER_MS;

/**
 * How much earlier than the time of the last packet it got a client begins a replay: a change may reach a socket this long
 * after a later change, and the clocks of the hosts may differ. The longest transaction, by which a change may be committed
 * after its own time, is not among it, since every log looks back by as much itself. Seconds.
 */
export const REPLAY_OVERLAP_SECONDS = Math.ceil(
  (Math.max(LOST_MESSAGE_MS, LOST_LINK_MS) + CLOCK_SKEW_MS) / 1000,
);
