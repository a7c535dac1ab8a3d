import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { CallContext } from './call-context.ts';

const UNEXPECTED_CODES = new Set([Code.Unknown, Code.Internal, Code.DataLoss]);

/**
 * The error that a client gets when a handler throws. A ConnectError is passed on; any other error is logged and becomes Internal without
 * details. For an aborted call it is the reason of the abort, which reaches no client.
 */
export function failureOf(error: unknown, ctx: CallContext, log: Logger): ConnectError {
  if (ctx.aborted) return ctx.aborted;
  const known = error instanceof ConnectError ? error : undefined;
  if (!known || UNEXPECTED_CODES.has(known.code)) {
    log.error({ error, rpc: `${ctx.service.typeName}/${ctx.method.name}` }, 'RPC failed');
  }
  return known ?? new ConnectError('internal error', Code.Internal);
}
