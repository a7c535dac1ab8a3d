import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { ChannelCredentials, Client as GrpcClient, type ChannelOptions } from '@grpc/grpc-js';
import type { Logger } from '../telemetry/log.ts';
import { CHANNEL_OPTIONS, type RpcTls } from './channel-options.ts';
import { createMetadataSource } from './client-metadata.ts';
import { callStream } from './call-stream.ts';
import { callUnary } from './call-unary.ts';
import { targetOf } from './resolver.ts';

export type { RpcTls } from './channel-options.ts';

const DEFAULT_TIMEOUT_MS = 5_000;

export type RpcChannelOptions = {
  /** `host:port`, a comma separated list of such, or `dns:///name:port`; calls go round robin over all their addresses. */
  address: string;
  secret?: string | undefined;
  tls?: RpcTls | undefined;
  log: Logger;
  /** For unary calls without a timeout of their own. Default 5 s. */
  timeoutMs?: number | undefined;
};

export type RpcChannel = {
  readonly transport: Transport;
  client<S extends DescService>(service: S): Client<S>;
  close(): void;
};

/**
 * A Connect transport over gRPC. A unary call has the deadline of the request it is made for, at most `timeoutMs`, and
 * that of the channel without either; streams have none but their own `timeoutMs`. Calls abort with the request, and carry its id and
 * trace. Unary calls whose .proto gives them an idempotency level are tried once more when the server could not be reached; no other call ever is.
 */
export function createRpcChannel(options: RpcChannelOptions): RpcChannel {
  const { address, secret, tls, log, timeoutMs: ownTimeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const grpc = new GrpcClient(targetOf(address), credentialsOf(tls), channelOptions(tls));
  const caller = {
    channel: grpc.getChannel(),
    metadata: createMetadataSource(secret),
    log,
  };
  const transport: Transport = {
    unary: (...[method, signal, timeoutMs = ownTimeoutMs, header, input]) =>
      callUnary(caller, { method, signal, timeoutMs, header, input }),
    stream: (...[method, signal, timeoutMs, header, input]) =>
      callStream(caller, { method, signal, timeoutMs, header, input }),
  };
  return {
    transport,
    client: (service) => createClient(service, transport),
    close: () => grpc.close(),
  };
}

function credentialsOf(tls: RpcTls | undefined): ChannelCredentials {
  return tls ? ChannelCredentials.createSsl(tls.ca, tls.key, tls.cert) : ChannelCredentials.createInsecure();
}

function channelOptions(tls: RpcTls | undefined): ChannelOptions {
  return {
    ...CHANNEL_OPTIONS,
    ...(tls?.serverName ? { 'grpc.ssl_target_name_override': tls.serverName } : {}),
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
  };
}
