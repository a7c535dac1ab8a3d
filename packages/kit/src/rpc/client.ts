import type { DescMessage, DescMethodUnary, DescService, MessageInitShape } from '@bufbuild/protobuf';
import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { ChannelCredentials, Client as GrpcClient, type ChannelOptions } from '@grpc/grpc-js';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { TlsSource } from '../runtime/tls/folder.ts';
import { clientCredentials } from './certificates.ts';
import { CHANNEL_OPTIONS } from './channel-options.ts';
import { createMetadataSource, type MetadataSource } from './client-metadata.ts';
import { callStream } from './call-stream.ts';
import { callBack, callUnary, type SettleCall } from './call-unary.ts';
import { createMultiplexing, type Multiplexing, type MultiplexingOptions } from './multiplex/multiplexing.ts';
import { nameOf, targetOf } from './resolver.ts';
import { SERVER } from './replica-choice.ts';

const DEFAULT_TIMEOUT_MS = 5_000;

export type RpcChannelOptions = {
  /** `host:port`, a comma-separated list of these, or `dns:///name:port`; calls go round-robin over all addresses. */
  address: string;
  secret?: string | undefined;
  /** The server must present a certificate from one of its authorities. New certificates apply to new connections. */
  tls?: TlsSource | undefined;
  /** The name in the server's certificate, if it differs from the first host of the address. */
  serverName?: string | undefined;
  log: Logger;
  /** Default timeout of unary calls. Default 5 s. */
  timeoutMs?: number | undefined;
  /**
   * Unary calls that may be repeated according to their .proto share a long-lived stream to each server, which cuts their cost to a third,
   * unless their answers may be large: because they have a byte budget, or are named here. Servers of an earlier release get them
   * individually. Default: every call is made individually.
   */
  multiplexing?: MultiplexingOptions | undefined;
};

export type RpcChannel = {
  readonly transport: Transport;
  /**
   * Makes a unary call of the current request with the default timeout, using a callback instead of a promise; `server` as in `toReplica`.
   * It has no span.
   */
  callBack<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    server: string | undefined,
    settle: SettleCall<O>,
  ): void;
  client<S extends DescService>(service: S): Client<S>;
  /**
   * Maps an integer to a server, for `toReplica`: identically in all processes that know the same servers. Undefined while none is known,
   * and on a channel without multiplexing.
   */
  preferredReplica(number: number): string | undefined;
  close(): void;
};

/**
 * A Connect transport over gRPC. A unary call has the deadline of its request, at most `timeoutMs`, or the channel's without either;
 * streams have only their own `timeoutMs`. Calls abort with the request, and carry its id and trace. Unary calls whose .proto declares an
 * idempotency level are tried once more when the server was unreachable; no other call ever is.
 */
export function createRpcChannel(options: RpcChannelOptions): RpcChannel {
  const { address, secret, tls, serverName, log, timeoutMs: ownTimeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const grpc = new GrpcClient(targetOf(address), credentialsOf(tls), channelOptions(serverName));
  const metadata = createMetadataSource(secret);
  const multiplexing = multiplexingOf(options, metadata);
  const caller = { channel: grpc.getChannel(), metadata, log, multiplexing };
  const transport: Transport = {
    unary: (...[method, signal, timeoutMs = ownTimeoutMs, header, input, context]) =>
      callUnary(caller, { method, signal, timeoutMs, header, input, server: context?.get(SERVER) }),
    stream: (...[method, signal, timeoutMs, header, input]) =>
      callStream(caller, { method, signal, timeoutMs, header, input }),
  };
  return {
    transport,
    callBack: (method, input, server, settle) =>
      callBack(caller, { method, timeoutMs: ownTimeoutMs, input, server }, settle),
    client: (service) => createClient(service, transport),
    preferredReplica: (number) => multiplexing?.preferredReplica(number),
    close() {
      multiplexing?.close();
      grpc.close();
    },
  };
}

function multiplexingOf(options: RpcChannelOptions, metadata: MetadataSource): Multiplexing | undefined {
  const { address, tls, serverName, log, multiplexing } = options;
  if (!multiplexing) return undefined;
  // Certificates are checked against the name given to the channel, not the resolved addresses.
  const connectOptions = channelOptions(tls && (serverName ?? nameOf(address)));
  return createMultiplexing(multiplexing, {
    address,
    connect: (target) => new GrpcClient(target, credentialsOf(tls), connectOptions),
    metadata: metadata(undefined, {}),
    log,
  });
}

function credentialsOf(tls: TlsSource | undefined): ChannelCredentials {
  return tls ? clientCredentials(tls) : ChannelCredentials.createInsecure();
}

function channelOptions(serverName: string | undefined): ChannelOptions {
  return {
    ...CHANNEL_OPTIONS,
    ...(serverName ? { 'grpc.ssl_target_name_override': serverName } : {}),
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
  };
}
