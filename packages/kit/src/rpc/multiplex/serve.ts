import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { Code, ConnectError, createServiceImplSpec, type ServiceImpl } from '@connectrpc/connect';
import { Metadata, type handleBidiStreamingCall, type ServerDuplexStream } from '@grpc/grpc-js';
import {
  DrainingSchema,
  MultiplexRequestSchema,
  MultiplexResponseSchema,
  type MultiplexRequest,
} from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { ShortLivedMap } from '../../runtime/short-lived-map.ts';
import { admitAll } from '../admission.ts';
import { MAX_MESSAGE_BYTES, tooLarge } from '../byte-budget.ts';
import { decode, encode } from '../codec.ts';
import { isIdempotent } from '../idempotency.ts';
import { headersFrom } from '../metadata.ts';
import type { MountOptions } from '../mount.ts';
import { answerUnary, type UnarySpec } from '../serve-unary.ts';
import { statusOf, type Status } from '../status.ts';
import { CarriedCall } from './carried-call.ts';

/** Serves multiplexing streams. */
export type Multiplexer = {
  readonly serve: handleBidiStreamingCall<Buffer, Buffer>;
  /** Adds a service, whose repeatable unary calls can be multiplexed from then on. */
  addService<S extends DescService>(service: S, impl: Partial<ServiceImpl<S>>): void;
  /** Tells all clients to make further calls elsewhere. Streams end once their calls are answered. */
  drain(): void;
};

type Outcome = NonNullable<MessageInitShape<typeof MultiplexResponseSchema>['outcome']>;

type Stream = {
  readonly call: ServerDuplexStream<Buffer, Buffer>;
  readonly underWay: ShortLivedMap<number, CarriedCall>;
  /** Whether the client makes no further calls. */
  hasEnded: boolean;
  /** Whether answers are read more slowly than they are written. */
  isBlocked: boolean;
};

/** A stream is not read while this many of its calls are under way. Clients of this release make fewer. */
const MAX_UNDER_WAY = 256;

/** More than the path of a call, its number and the framing need. Bytes. */
const ENVELOPE_BYTES = 1_024;

export function createMultiplexer(options: MountOptions): Multiplexer {
  const specs = new Map<string, UnarySpec>();
  const streams = new Set<Stream>();
  // Only the stream itself is authenticated; its calls inherit that.
  const ofCalls: MountOptions = { ...options, authenticate: admitAll };
  let isDraining = false;

  function serve(call: ServerDuplexStream<Buffer, Buffer>): void {
    const stream: Stream = { call, underWay: new ShortLivedMap(), hasEnded: false, isBlocked: false };
    try {
      options.authenticate(call.metadata);
    } catch (error) {
      call.emit('error', statusOf(ConnectError.from(error, Code.Unauthenticated)));
      return;
    }
    streams.add(stream);
    call.on('data', (bytes: Buffer) => receive(stream, bytes, specs, ofCalls));
    call.on('drain', () => {
      stream.isBlocked = false;
      proceed(stream);
    });
    call.on('end', () => {
      stream.hasEnded = true;
      proceed(stream);
    });
    call.on('close', () => streams.delete(stream));
    call.on('cancelled', () => {
      streams.delete(stream);
      for (const carried of stream.underWay.values()) carried.cancel();
    });
    call.sendMetadata(new Metadata());
    if (isDraining) sayDraining(stream);
  }

  return {
    serve,
    addService(service, impl) {
      for (const spec of Object.values(createServiceImplSpec(service, impl).methods)) {
        const { method } = spec;
        if (spec.kind === 'unary' && isIdempotent(method))
          specs.set(`/${service.typeName}/${method.name}`, spec);
      }
    },
    drain() {
      isDraining = true;
      streams.forEach(sayDraining);
    },
  };
}

function receive(
  stream: Stream,
  bytes: Buffer,
  specs: ReadonlyMap<string, UnarySpec>,
  options: MountOptions,
): void {
  let request: MultiplexRequest;
  try {
    request = decode(MultiplexRequestSchema, bytes, Code.InvalidArgument);
  } catch (error) {
    stream.call.emit('error', statusOf(ConnectError.from(error)));
    return;
  }
  const { number, path, cancelled } = request;
  if (cancelled) return cancel(stream, number);
  const spec = specs.get(path);
  if (!spec) {
    const error = new ConnectError(`${path} cannot be multiplexed`, Code.Unimplemented);
    send(stream, number, failed(statusOf(error)));
    return;
  }
  const carried = new CarriedCall(request);
  stream.underWay.set(number, carried);
  if (stream.underWay.size >= MAX_UNDER_WAY) stream.call.pause();
  function settle(outcome: Outcome): void {
    carried.end();
    if (!stream.underWay.delete(number)) return;
    send(stream, number, outcome);
    proceed(stream);
  }
  answerUnary(spec, options, carried, {
    succeed: (message) =>
      settle(fits(message) ? { case: 'message', value: message } : failed(statusOf(tooLarge()))),
    fail: (status) => settle(failed(status)),
  });
}

/** The call no longer counts, even while its handler continues: callers that disconnect must not block the stream. */
function cancel(stream: Stream, number: number): void {
  stream.underWay.delete(number)?.cancel();
  proceed(stream);
}

function fits(message: Buffer): boolean {
  return message.length <= MAX_MESSAGE_BYTES - ENVELOPE_BYTES;
}

function send(stream: Stream, number: number, outcome: Outcome): void {
  const { call } = stream;
  if (call.cancelled || call.destroyed) return;
  if (!call.write(encode(MultiplexResponseSchema, { number, outcome }))) stream.isBlocked = true;
}

function proceed(stream: Stream): void {
  const { call, underWay, hasEnded, isBlocked } = stream;
  if (call.cancelled) return;
  if (hasEnded && underWay.size === 0) call.end();
  else if (isBlocked) call.pause();
  else if (underWay.size < MAX_UNDER_WAY && call.isPaused()) call.resume();
}

function sayDraining(stream: Stream): void {
  send(stream, 0, { case: 'draining', value: create(DrainingSchema) });
}

function failed({ code, details, metadata }: Status): Outcome {
  const trailers = Object.fromEntries(headersFrom(metadata));
  return { case: 'failure', value: { code, details, trailers } };
}
