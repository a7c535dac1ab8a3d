import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { headers, RequestError, type MsgHdrs } from '@nats-io/transport-node';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Link } from './link.ts';
import type { PayloadLimit } from './payload-limit.ts';
import type { Streams } from './streams.ts';

export type PublishOptions = {
  msgId: string;
  headers?: Record<string, string>;
  /** Sequence that the subject's last message must have for this one to be stored; 0: the subject must be empty. */
  after?: number;
};
/** The place of a message in the stream. `isRepeat`: the stream already had a message with this id, at that place. */
export type Stored = { seq: number; isRepeat: boolean };
export type Publish = (subject: string, payload: Uint8Array, options: PublishOptions) => Promise<Stored>;

const PUBLISH_TIMEOUT_MS = 5000;
/** JetStream's status for a refused message; a full stream answers 503. */
const BAD_REQUEST = 400;
/** JetStream's errors with that status that nevertheless concern all messages: account limits, a sealed stream. */
const STREAM_WIDE: ReadonlySet<number> = new Set([10002, 10109]);

/** JetStream's error for a message refused because of `after`, and the end of its text, which contains the current sequence. */
const WRONG_LAST_SEQUENCE = 10071;
const LAST_SEQUENCE = /: (\d+)$/;

/** Publishes through JetStream. A lost stream is created again. */
export function createPublisher(link: Link, limit: PayloadLimit, streams: Streams): Publish {
  let js: JetStreamClient | undefined;
  return async function publish(subject, payload, options) {
    limit.check(payload);
    try {
      const publishing = publishingOf(options);
      const ack = await link.unlessLost((nc) => (js ??= jetstream(nc)).publish(subject, payload, publishing));
      return { seq: ack.seq, isRepeat: ack.duplicate };
    } catch (error) {
      if (isWithoutStream(error)) void streams.repair();
      throw publishError(error);
    }
  };
}

function publishingOf({ msgId, headers: fields, after }: PublishOptions) {
  return {
    msgID: msgId,
    timeout: PUBLISH_TIMEOUT_MS,
    ...(fields && { headers: toHeaders(fields) }),
    ...(after !== undefined && { expect: { lastSubjectSequence: after } }),
  };
}

/** The sequence of a subject's last message, from the error of a publish with another `after`. */
export function lastSequenceIn(error: unknown): number | undefined {
  const { cause } = error instanceof ConnectError ? error : { cause: error };
  if (!(cause instanceof JetStreamApiError) || cause.code !== WRONG_LAST_SEQUENCE) return undefined;
  const text = LAST_SEQUENCE.exec(cause.message)?.[1];
  return text === undefined ? undefined : Number(text);
}

function toHeaders(fields: Record<string, string>): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(fields)) result.set(name, value);
  return result;
}

// No stream accepts the subject: the stream was deleted, or the server lost its files.
function isWithoutStream(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();
}

function publishError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const message = `event not stored: ${error instanceof Error ? error.message : String(error)}`;
  return new ConnectError(message, codeOf(error), undefined, undefined, error);
}

function codeOf(error: unknown): Code {
  if (!(error instanceof JetStreamApiError)) return Code.Unavailable;
  const isOfMessage = error.status === BAD_REQUEST && !STREAM_WIDE.has(error.code);
  return isOfMessage ? Code.InvalidArgument : Code.ResourceExhausted;
}
