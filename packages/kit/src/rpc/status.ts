import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import type { status } from '@grpc/grpc-js';
import { type Metadata } from '@grpc/grpc-js';
import { headersFrom, metadataFrom } from './metadata.ts';

export type Status = { code: status; details: string; metadata: Metadata };

/** The status of an error on the wire; its details travel as `grpc-status-details-bin`. */
export function statusOf(error: ConnectError): Status {
  const trailer = setTrailerStatus(new Headers(), error);
  trailer.delete('grpc-status');
  trailer.delete('grpc-message');
  return { code: error.code as number, details: error.rawMessage, metadata: metadataFrom(trailer) };
}

/** The error of a status that is not OK, from the wire or from the channel itself. */
export function errorOf({ code, details, metadata }: Status): ConnectError {
  const trailer = headersFrom(metadata);
  trailer.set('grpc-status', String(code));
  trailer.set('grpc-message', encodeURIComponent(details));
  try {
    return findTrailerError(trailer) ?? new ConnectError(details, Code.Unknown);
  } catch (error) {
    return ConnectError.from(error, Code.DataLoss); // details that cannot be read
  }
}
