import { parseTime } from '@parley/domain/json/time';
import { isFields, optional } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import { owedEvents } from '../../live/catch-up.ts';
import type { Connection } from '../connection.ts';
import type { RequestHandler } from './index.ts';

/** The replay waits for the client to read when more than this is on its way. Bytes. */
const writeAhead = 256 * 1024;

const drained = async (connection: Connection): Promise<void> => {
  while (connection.isOpen && connection.buffered > writeAhead) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const fromTimestamp = (data: unknown): number => {
  const value = isFields(data) ? optional(data, 'from_timestamp') : undefined;
  if (value === undefined) return fail('missing_property', { property: 'from_timestamp' });
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  return time ?? fail('invalid_property', { property: 'from_timestamp' });
};

/** `Event.replay`: the packets that this user's sockets were owed since a time; live packets wait behind them. */
export const replayEvents: RequestHandler = async ({ ctx, live, connection, data }) => {
  const since = fromTimestamp(data);
  const { appId, userId } = connection.caller;
  return connection.holdWhile(async () => {
    let complete = true;
    const replay = live.replayTo(connection);
    for await (const page of owedEvents({ logs: ctx.changeLogs, appId, userId, since })) {
      if (!connection.isOpen) return { complete: false };
      complete &&= page.complete;
      await replay.events(page.events, () =>
        connection.buffered > writeAhead ? drained(connection) : undefined,
      );
    }
    await replay.finish();
    return { complete };
  });
};
