import { Code, ConnectError } from '@connectrpc/connect';
import { withoutStack } from '@parley/codec/without-stack';
import { findTrailerError, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { status, type Metadata } from '@grpc/grpc-js';
import { headersFrom, metadataFrom } from './metadata.ts';

export type Status = { code: status; details: string; metadata: Metadata };

/** The status of an error on the wire; its details travel as `grpc-status-details-bin`. */
export function statusOf(error: ConnectError): Status {
  const trailer = setTrailerStatus(new Headers(), error);
  trailer.delete('grpc-status');
  trailer.delete('grpc-message');
  return { code: error.code as number, details: error.rawMessage, metadata: metadataFrom(trailer) };
}

/** How the channel describes a stream that was reset before its status arrived, which it reports as an internal error. */
const RESET = 'Received RST_STREAM';

/**
 * The error for a status other than OK, from the wire or the channel itself. A stopping server may reset a stream: this counts as
 * unavailable, like a lost connection. It has no stack trace, which would only show how answers are read.
 */
export function errorOf(status: Status): ConnectError {
  return withoutStack(() => readError(status));
}

function readError({ code, details, metadata }: Status): ConnectError {
  if (code === status.INTERNAL && details.startsWith(RESET))
    return new ConnectError(`the call ended without an answer: ${details}`, Code.Unavailable);
  const trailer = headersFrom(metadata);
  trailer.set('grpc-status', String(code));
  trailer.set('grpc-message', encodeURIComponent(details));
  try {
    return findTrailerError(trailer) ?? new ConnectError(details, Code.Unknown);
  } catch (error) {
    return ConnectError.from(error, Code.DataLoss); // details that cannot be read
  }
}
