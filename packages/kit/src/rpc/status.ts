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

/** How the channel describes a stream that was reset before its status came. It calls that an internal error. */
const RESET = 'Received RST_STREAM';

/**
 * The error of a status that is not OK, from the wire or from the channel itself. A server that stops may reset a stream:
 * it is unavailable then, as if the connection had been lost. It has no stack, which would only show how answers are read.
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
