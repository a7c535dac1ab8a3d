import type { Connection } from '../../connection/connection.ts';
import type { Weigh } from '../../../admission/limits/index.ts';
import type { Live } from '../../live/index.ts';
import type { RealtimeContext } from '../../context.ts';

export type SocketRequest = {
  ctx: RealtimeContext;
  live: Live;
  connection: Connection;
  objectId: unknown;
  data: unknown;
  weigh: Weigh;
};

/** Resolves with the `data` of the response, or with RenderedData. */
export type RequestHandler = (request: SocketRequest) => Promise<object>;
