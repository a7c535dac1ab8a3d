import type { NatsConnection } from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Link } from './link.ts';

/** Upper bound of a message's headers: its id, the request id and the trace. */
const HEADERS_BYTES = 64 * 1024;

export type PayloadLimit = {
  takes(payload: Uint8Array): boolean;
  /** Fails with OutOfRange when the payload is larger than the server accepts. */
  check(payload: Uint8Array): void;
  /** Whether the server accepts the largest message that this process may publish; true without a connection. */
  isLargeEnough(): boolean;
};

/** Whether a publish failed because of the message's size, so that even a server configured as required would refuse it. */
export function isTooLargeForGood(error: unknown, bus: { readonly takesLargest: boolean }): boolean {
  return error instanceof ConnectError && error.code === Code.OutOfRange && bus.takesLargest;
}

/** Compares, at every connect, the server's max_payload with the required size; logs an error when it is too small. */
export function watchPayloadLimit(link: Link, largest: number, log: Logger): PayloadLimit {
  const required = largest + HEADERS_BYTES;
  const limitOf = (nc: NatsConnection | undefined): number => nc?.info?.max_payload ?? Infinity;
  link.onConnect((nc) => {
    const maxPayload = limitOf(nc);
    if (largest > 0 && maxPayload < required) {
      log.error(
        { maxPayload, required },
        'max_payload of the NATS server is too small; not ready until it is raised',
      );
    }
  });
  const takes = (payload: Uint8Array): boolean => payload.length + HEADERS_BYTES <= limitOf(link.current());
  return {
    takes,
    check(payload) {
      if (takes(payload)) return;
      const message = `a message of ${payload.length} bytes is larger than the NATS server accepts`;
      throw new ConnectError(message, Code.OutOfRange);
    },
    isLargeEnough: () => largest === 0 || limitOf(link.current()) >= required,
  };
}
