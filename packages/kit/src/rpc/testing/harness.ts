import type { ServiceImpl } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createMetrics } from '../../runtime/telemetry/metrics.ts';
import { createRpcChannel, type RpcChannel, type RpcChannelOptions } from '../client.ts';
import { createRpcServer, type RpcServer } from '../server.ts';

export const SECRET = 'a secret of the tests';

export type Harness = {
  lines: Record<string, unknown>[];
  metrics: ReturnType<typeof createMetrics>;
  serve(
    impl: Partial<ServiceImpl<typeof IdentityService>>,
    port?: number,
  ): Promise<{ server: RpcServer; port: number }>;
  connect(address: string, options?: Partial<RpcChannelOptions>): RpcChannel;
  /** Starts a server, connects to it, and returns the client. */
  clientOf(impl: Partial<ServiceImpl<typeof IdentityService>>): Promise<ReturnType<typeof identityClient>>;
  onClose(close: () => unknown): void;
  close(): Promise<void>;
};

function identityClient(channel: RpcChannel) {
  return channel.client(IdentityService);
}

/** Opens real servers and channels, and closes them all. `lines`: the logged lines. */
export function createHarness(): Harness {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ service: 'test', level: 'debug', destination });
  const metrics = createMetrics('test');
  const closing: (() => unknown)[] = [];
  const harness: Harness = {
    lines,
    metrics,
    async serve(impl, port = 0) {
      const server = createRpcServer({ log, metrics, secret: SECRET });
      server.service(IdentityService, impl);
      closing.unshift(() => server.stop(0));
      return { server, port: await server.listen(port, '127.0.0.1') };
    },
    connect(address, options = {}) {
      const channel = createRpcChannel({ address, secret: SECRET, log, ...options });
      closing.unshift(channel.close);
      return channel;
    },
    async clientOf(impl) {
      const { port } = await harness.serve(impl);
      return identityClient(harness.connect(`127.0.0.1:${port}`));
    },
    onClose: (close) => void closing.unshift(close),
    async close() {
      for (const close of closing) await close();
    },
  };
  return harness;
}

export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
