import { parseTime } from '@parley/domain/json/time';
import { optional, optionalObject } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import { REPLAY_WEIGHT } from '../../../admission/limits/weights.ts';
import { readUserEvents } from '../../live/replay/user-events.ts';
import type { Uses } from '../../context.ts';
import { createReadPace } from '../../connection/read-pace.ts';
import type { SocketRequest } from './request.ts';

/** How long a replay may wait for its client to read; the client may then continue with another replay. Milliseconds. */
const MAX_DURATION_MS = 120_000;

function fromTimestamp(data: unknown): number {
  const value = optional(optionalObject(data), 'from_timestamp');
  if (value === undefined) return fail('missing_property', { property: 'from_timestamp' });
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  return time ?? fail('invalid_property', { property: 'from_timestamp' });
}

/** `Event.replay`: sends the packets that the user's sockets should have had since a time, and holds live packets meanwhile. */
export async function replayEvents(request: SocketRequest): Promise<object> {
  const since = fromTimestamp(request.data);
  const { ctx, connection } = request;
  request.weigh(REPLAY_WEIGHT);
  // Live packets are held from the replay's turn on, not while it waits for that.
  return ctx.limits.concurrency.replay(connection, connection.caller, async () => {
    const result = await connection.holdWhile(() => replaySince(request, since));
    countReplay(ctx, result);
    return result;
  });
}

function countReplay({ metrics }: Uses<'metrics'>, { complete }: ReplayResult): void {
  const counter = metrics.counter({
    name: 'gateway_replays_total',
    help: 'Replays that were answered, by whether they were complete.',
    labelNames: ['complete'] as const,
  });
  counter.inc({ complete: String(complete) });
}

type ReplayResult = { complete: boolean };

/** Fetches no page while the client has unread packets. */
async function replaySince({ ctx, live, connection }: SocketRequest, since: number): Promise<ReplayResult> {
  if (!connection.isOpen) return { complete: false };
  const { appId, userId } = connection.caller;
  const { untilRead, isBehind } = createReadPace(connection, {
    stallMs: ctx.config.replayStallSeconds * 1000,
    totalMs: MAX_DURATION_MS,
  });
  let complete = true;
  const replay = live.replayTo(connection);
  const logs = ctx.changeLogs;
  const readsAhead = (): boolean => connection.isOpen && !isBehind();
  for await (const page of readUserEvents({ logs, appId, userId, since, readsAhead })) {
    if (!connection.isOpen) return { complete: false };
    complete &&= page.complete;
    await replay.events(page.events, untilRead);
  }
  if (!connection.isOpen) return { complete: false };
  await replay.finish(untilRead);
  return { complete };
}
