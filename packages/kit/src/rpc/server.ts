import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { Server, ServerCredentials, type ServerOptions } from '@grpc/grpc-js';
import { Health } from '@parley/proto/grpc/health/v1/health_pb';
import { ServerReflection } from '@parley/proto/grpc/reflection/v1/reflection_pb';
import { MultiplexService } from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';
import { admitAll, requireSecret } from './admission.ts';
import type { TlsSource } from '../runtime/tls/folder.ts';
import { serverCredentials } from './certificates.ts';
import { CHANNEL_OPTIONS } from './channel-options.ts';
import { createHealth } from './health.ts';
import { asIs, mount, type MountOptions } from './mount.ts';
import { MULTIPLEX_PATH } from './multiplex/path.ts';
import { createMultiplexer } from './multiplex/serve.ts';
import { createReflection } from './reflection.ts';

export type RpcServerOptions = {
  log: Logger;
  metrics?: Metrics | undefined;
  /** Callers must send `authorization: Bearer <secret>`. May be omitted only with `tls`. */
  secret?: string | undefined;
  /** Secrets that are accepted in addition. */
  acceptedSecrets?: readonly string[];
  /** Callers must present a certificate from one of its authorities. New certificates apply to new connections. */
  tls?: TlsSource | undefined;
};

export type RpcServer = {
  service<S extends DescService>(service: S, impl: Partial<ServiceImpl<S>>): void;
  /** Starts serving and returns the port. 0: any free port. */
  listen(port: number, host?: string): Promise<number>;
  /** Sets the answer of the health service. */
  setServing(serving: boolean): void;
  /** Reports that it does not serve, lets the calls in flight end, and cancels the rest after `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

const REFLECTION_V1_ALPHA = 'grpc.reflection.v1alpha.ServerReflection';

/**
 * A gRPC server for Connect implementations, with the standard health and reflection services, which need no secret. Repeatable unary calls
 * are also served over multiplexing streams. A handler runs in the request context of its call; it is not started after the deadline.
 */
export function createRpcServer({
  log,
  metrics,
  secret,
  acceptedSecrets = [],
  tls,
}: RpcServerOptions): RpcServer {
  if (!secret && !tls)
    throw new Error('an RPC server needs a secret or TLS, otherwise it would admit every caller');
  const server = new Server(SERVER_OPTIONS);
  const observe = observer(metrics);
  const authenticate = secret ? requireSecret([secret, ...acceptedSecrets]) : admitAll;
  const internal: MountOptions = { log, observe, authenticate };
  const open: MountOptions = { log, observe, authenticate: admitAll };
  let address: string | undefined;
  const health = createHealth();
  const multiplexer = createMultiplexer(internal);
  const reflection = createReflection();
  mount(server, Health, health.impl, open);
  mount(server, ServerReflection, reflection.impl, open);
  mount(server, ServerReflection, reflection.impl, { ...open, typeName: REFLECTION_V1_ALPHA });
  server.register(MULTIPLEX_PATH, multiplexer.serve, asIs, asIs, 'bidi');
  [Health, ServerReflection, MultiplexService].forEach(reflection.addService);
  return {
    service(service, impl) {
      mount(server, service, impl, internal);
      multiplexer.addService(service, impl);
      health.addService(service.typeName);
      reflection.addService(service);
    },
    async listen(port, host = '0.0.0.0') {
      const bound = await bind(server, `${host}:${port}`, tls);
      address = `${host}:${bound}`;
      health.setServing(true);
      return bound;
    },
    setServing: health.setServing,
    async stop(graceMs) {
      health.setServing(false);
      health.stop();
      multiplexer.drain();
      await shutDown(server, address, graceMs);
    },
  };
}

const SERVER_OPTIONS: ServerOptions = { ...CHANNEL_OPTIONS };

function bind(server: Server, address: string, tls: TlsSource | undefined): Promise<number> {
  const credentials = tls ? serverCredentials(tls) : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error) reject(new ConnectError(`cannot listen on ${address}: ${error.message}`, Code.Unavailable));
      else resolve(port);
    });
  });
}

// Without channelz, `forceShutdown` knows no connections. `drain` does, until the server begins to shut down.
async function shutDown(server: Server, address: string | undefined, graceMs: number): Promise<void> {
  if (address) server.drain(address, graceMs);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
}

function observer(metrics: Metrics | undefined): MountOptions['observe'] {
  if (!metrics) return () => undefined;
  const seconds = metrics.histogram({
    name: 'rpc_server_seconds',
    help: 'Time from the arrival of a call to its answer, by method and gRPC status.',
    labelNames: ['service', 'method', 'code'],
  });
  const children = new Map<DescMethod, Map<string, { observe(value: number): void }>>();
  return (method, code, value) => {
    let codes = children.get(method);
    if (!codes) children.set(method, (codes = new Map()));
    let child = codes.get(code);
    if (!child) codes.set(code, (child = seconds.labels(method.parent.typeName, method.name, code)));
    child.observe(value);
  };
}
