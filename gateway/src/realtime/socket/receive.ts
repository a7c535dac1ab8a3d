import type { RawData } from 'ws';
import { errorOf, problem, problemOf } from '@parley/domain/problems';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { RealtimeContext } from '../context.ts';
import type { Live } from '../live/index.ts';
import { CLOSE_CODES, type Connection } from '../connection/connection.ts';
import { FrameBody } from '../connection/frame.ts';
import { constantError, errorForm } from '@parley/http/errors/error-form';
import type { DroppedReports } from './dropped.ts';
import type { InFlight } from './in-flight.ts';
import { PacketError, parsePacket, type TypingSignal } from '../connection/packet.ts';
import { handleRequest } from './requests/index.ts';
import type { TypingRelay } from './typing.ts';

export type Receiver = {
  ctx: RealtimeContext;
  live: Live;
  typingRelay: TypingRelay;
  dropped: DroppedReports;
  connection: Connection;
  inFlight: InFlight;
  /** Called for each packet that exceeded the session's rate or was exempt from it. */
  refused: () => void;
};

/**
 * Handles one packet of a client, and never throws. An invalid envelope is answered; a text that is not a packet of a known
 * type closes the socket; an internal error closes this socket alone. A socket with the extended subprotocol gets an `error`
 * packet for everything that is dropped.
 */
export function receive(receiver: Receiver, data: RawData, isBinary: boolean): void {
  guardListener(
    () => {
      try {
        handle(receiver, data, isBinary);
      } catch (error) {
        refuse(receiver, error);
      }
    },
    (error) => endFailed(receiver, error),
  );
}

/** Closes a socket after an internal error in handling it. */
export function endFailed({ ctx, connection }: Pick<Receiver, 'ctx' | 'connection'>, error: unknown): void {
  const { appId, userId } = connection.caller;
  ctx.log.error({ error, appId, userId }, 'internal error of a socket; closing it');
  connection.close(CLOSE_CODES.internalError, 'internal error');
}

function handle(receiver: Receiver, data: RawData, isBinary: boolean): void {
  const { ctx, live, connection, inFlight, refused } = receiver;
  if (connection.endIfOver()) return;
  if (isBinary) return closeFor(receiver, CLOSE_CODES.unsupportedPacket, 'binary packets are not understood');
  const packet = parsePacket(ctx.wire, (data as Buffer).toString());
  if (packet.type === 'request') {
    const work = handleRequest({ ctx, live, connection, refused }, packet.request);
    if (!work) return;
    inFlight.add(work, (error) => endFailed(receiver, error));
  } else handleSignal(receiver, packet.typing);
}

/** A signal of an unknown type is dropped. */
function handleSignal(receiver: Receiver, typing: TypingSignal | undefined): void {
  const { ctx, connection, dropped, typingRelay, refused } = receiver;
  if (typing) {
    if (!isWithinLimits(receiver)) return;
    // A late typing signal is useless, so it is dropped while ended sessions are not known.
    if (!ctx.auth.confirmSessions()) typingRelay.signal(connection, typing);
    return;
  }
  dropped.report(connection, UNKNOWN_SIGNAL);
  refused();
}

const UNKNOWN_SIGNAL = constantError('invalid_request', {
  message: 'The type of the signal is not known.',
  data: { property: 'type', accepted: ['typing_indicator'] },
});

/** Valid signals have no answer, so those beyond the rate limit are dropped. */
function isWithinLimits({ ctx, dropped, connection, refused }: Receiver): boolean {
  try {
    ctx.limits.session(connection.caller.sessionId);
    return true;
  } catch (error) {
    if (problemOf(error)?.id !== 'rate_limit_exceeded') throw error;
    dropped.report(connection, error);
    refused();
    return false;
  }
}

function refuse(receiver: Receiver, error: unknown): void {
  if (error instanceof PacketError) closeFor(receiver, error.closeCode, error.message);
  else if (problemOf(error)?.id === 'invalid_request') answerInvalid(receiver, error);
  else throw error;
}

/** Sends the error, if the client understands it, and closes the socket. */
function closeFor({ dropped, connection }: Receiver, closeCode: number, message: string): void {
  dropped.report(
    connection,
    errorOf(problem('invalid_request', { message: `The packet is invalid: ${message}.` })),
  );
  connection.close(closeCode, message);
}

/** An invalid envelope counts as a request of the session; beyond the rate limit, the rate limit's error is the answer. */
function answerInvalid({ ctx, dropped, connection, refused }: Receiver, refusal: unknown): void {
  let error = refusal;
  try {
    ctx.limits.session(connection.caller.sessionId);
  } catch (exceeded) {
    error = exceeded;
    refused();
  }
  if (connection.isExtended) return dropped.report(connection, error);
  const { json } = errorForm(error, ctx.errorDocs);
  const body = `{"request_id":null,"method":null,"success":false,"data":${json}}`;
  connection.write('response', new FrameBody(body));
}
