import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../telemetry/log.ts';
import type { CallContext } from './call-context.ts';

const UNEXPECTED_CODES = new Set([Code.Unknown, Code.Internal, Code.DataLoss]);

/**
 * What a client is told of an error that a handler threw. A ConnectError is told as it is; anything else is Internal
 * without a word of what it was, and logged. Nobody hears an answer once the call is aborted.
 */
export function failureOf(error: unknown, ctx: CallContext, log: Logger): ConnectError {
  if (ctx.aborted) return ctx.aborted;
  const known = error instanceof ConnectError ? error : undefined;
  if (!known || UNEXPECTED_CODES.has(known.code)) {
    log.error({ error, rpc: `${ctx.service.typeName}/${ctx.method.name}` }, 'call failed');
  }
  return known ?? new ConnectError('internal error', Code.Internal);
}
