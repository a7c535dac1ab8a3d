import { status, type Metadata, type StatusObject } from '@grpc/grpc-js';
import type { Call } from './client-call.ts';
import { headersFrom } from './metadata.ts';
import { errorOf } from './status.ts';

/** The answers of a streaming call. */
export type Incoming = {
  /** Complete once `begun` resolves, and again once `ended` does. */
  readonly header: Headers;
  readonly trailer: Headers;
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** Reads only as fast as it is iterated; cancels the call when the iteration ends early, and throws when the call fails. */
  readonly messages: AsyncIterable<Buffer>;
};

/** Starts the call. `onEnd` receives its status. */
export function receive(call: Call, metadata: Metadata, onEnd: (end: StatusObject) => void): Incoming {
  const header = new Headers();
  const trailer = new Headers();
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let next = Promise.withResolvers<Buffer | undefined>();
  let end: StatusObject | undefined;

  call.start(metadata, {
    onReceiveMetadata(received) {
      copy(headersFrom(received), header);
      begun.resolve();
    },
    onReceiveMessage(bytes: Buffer) {
      next.resolve(bytes);
    },
    onReceiveStatus(received) {
      end = received;
      onEnd(received);
      copy(headersFrom(received.metadata), trailer);
      begun.resolve();
      ended.resolve();
      next.resolve(undefined);
    },
  });

  async function* messages() {
    try {
      for (;;) {
        if (!end) call.startRead();
        const bytes = await next.promise;
        if (bytes === undefined) break;
        next = Promise.withResolvers();
        if (end) next.resolve(undefined);
        yield bytes;
      }
      if (end && end.code !== status.OK) throw errorOf(end);
    } finally {
      if (!end) call.cancelWithStatus(status.CANCELLED, 'the caller reads no further');
    }
  }

  return {
    header,
    trailer,
    begun: begun.promise,
    ended: ended.promise,
    hasEnded: () => end !== undefined,
    messages: messages(),
  };
}

function copy(from: Headers, to: Headers): void {
  for (const [key, value] of from) to.append(key, value);
}
