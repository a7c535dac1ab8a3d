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
  /** `host:port`, a comma separated list of such, or `dns:///name:port`; calls go round robin over all their addresses. */
  address: string;
  secret?: string | undefined;
  /** The server must have a certificate of one of its authorities. New ones count for new connections. */
  tls?: TlsSource | undefined;
  /** The name in the server's certificate, where it is not the first host of the address. */
  serverName?: string | undefined;
  log: Logger;
  /** Timeout of unary calls without one of their own. Default 5 s. */
  timeoutMs?: number | undefined;
  /**
   * Unary calls whose .proto says that they may be repeated share a long-lived stream to each server, which costs them a third, unless
   * their answers may be large: they have a byte budget, or are named here.
   * Servers of an earlier release get them one by one. Default: each call is made by itself.
   */
  multiplexing?: MultiplexingOptions | undefined;
};

export type RpcChannel = {
  readonly transport: Transport;
  /**
   * Makes a unary call of the current request in the default time, and calls back instead of resolving a promise; `server` as by `toReplica`.
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
   * The server that a whole number belongs to, for `toReplica`: the same in all processes that know the same servers. Undefined while
   * none is known, and on a channel without multiplexing.
   */
  preferredReplica(number: number): string | undefined;
  close(): void;
};

/**
 * A Connect transport over gRPC. A unary call has the deadline of the request it is made for, at most `timeoutMs`, and
 * that of the channel without either; streams have none but their own `timeoutMs`. Calls abort with the request, and carry its id and
 * trace. Unary calls whose .proto gives them an idempotency level are tried once more when the server could not be reached; no other call ever is.
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
  // Certificates are those of the name that the channel is given, not of the addresses that it resolves to.
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
