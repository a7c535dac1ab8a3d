import { createBuckets, type Rate } from '@parley/kit/flow/limits/buckets';
import type { Connection } from '../connection/connection.ts';
import { FrameBody, frameBody } from '../connection/frame.ts';
import type { RealtimeContext } from '../context.ts';
import { errorForm } from '@parley/http/errors/error-form';

/** Rate of `error` packets to the sockets of one session, so that a flood of bad packets does not cause a flood of errors. */
const RATE: Rate = { perSecond: 5, burst: 20 };

export type DroppedReports = {
  /**
   * Sends an `error` packet for something dropped to a socket of the extended subprotocol, within a rate; does nothing beyond the rate and
   * for other sockets. `data` is added to the error's.
   */
  report(connection: Connection, error: unknown, data?: Readonly<Record<string, string>>): void;
};

export function createDroppedReports({
  clock,
  errorDocs,
}: Pick<RealtimeContext, 'clock' | 'errorDocs'>): DroppedReports {
  const buckets = createBuckets(RATE, clock);
  return {
    report(connection, error, data) {
      if (!connection.isExtended || buckets.take(connection.caller.sessionId) > 0) return;
      const { body, json } = errorForm(error, errorDocs);
      const shown = data ? frameBody({ ...body, data: { ...body.data, ...data } }) : new FrameBody(json);
      connection.write('error', shown);
    },
  };
}
