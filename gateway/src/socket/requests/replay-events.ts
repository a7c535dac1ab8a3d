import { parseTime } from '@parley/domain/json/time';
import { isFields, optional } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import { REPLAY_WEIGHT } from '../../limits/weights.ts';
import { readUserEvents } from '../../live/replay/user-events.ts';
import { createReadPace } from '../../connection/read-pace.ts';
import type { SocketRequest } from './request.ts';

/** A reader that needs longer gives its place to others; it may go on from where it got to. Milliseconds. */
const LONGEST_WAIT_MS = 120_000;

function fromTimestamp(data: unknown): number {
  const value = isFields(data) ? optional(data, 'from_timestamp') : undefined;
  if (value === undefined) return fail('missing_property', { property: 'from_timestamp' });
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  return time ?? fail('invalid_property', { property: 'from_timestamp' });
}

/** `Event.replay`: the packets that this user's sockets were owed since a time; live packets wait behind them. */
export async function replayEvents(request: SocketRequest): Promise<object> {
  const since = fromTimestamp(request.data);
  const { ctx, connection } = request;
  request.weigh(REPLAY_WEIGHT);
  // Live packets are held back from the replay's turn on, not while it waits for that.
  return ctx.limits.concurrency.replay(connection, connection.caller, () =>
    connection.holdWhile(() => replaySince(request, since)),
  );
}

/** Reads no further than the client does: no page is asked for while the client has packets to read. */
async function replaySince({ ctx, live, connection }: SocketRequest, since: number): Promise<object> {
  if (!connection.isOpen) return { complete: false };
  const { appId, userId } = connection.caller;
  const { untilRead, isBehind } = createReadPace(connection, {
    stallMs: ctx.config.replayStallSeconds * 1000,
    totalMs: LONGEST_WAIT_MS,
  });
  let complete = true;
  const replay = live.replayTo(connection);
  const logs = ctx.changeLogs;
  for await (const page of readUserEvents({ logs, appId, userId, since, readsAhead: () => !isBehind() })) {
    if (!connection.isOpen) return { complete: false };
    complete &&= page.complete;
    await replay.events(page.events, untilRead);
  }
  if (!connection.isOpen) return { complete: false };
  await replay.finish(untilRead);
  return { complete };
}
