import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import type { Health } from '@parley/proto/grpc/health/v1/health_pb';
import { HealthCheckResponse_ServingStatus as Serving } from '@parley/proto/grpc/health/v1/health_pb';

export type ServerHealth = {
  readonly impl: ServiceImpl<typeof Health>;
  /** The empty name, which means the whole server, is known from the start. */
  addService(typeName: string): void;
  setServing(serving: boolean): void;
  /** Ends the calls that watch. */
  stop(): void;
};

/** The standard health service. All services of a server share one status: serving or not. */
export function createHealth(): ServerHealth {
  const services = new Set(['']);
  const watchers = new Set<() => void>();
  let serving = false;
  let stopped = false;
  const statusOf = (service: string): Serving | undefined =>
    services.has(service) ? (serving ? Serving.SERVING : Serving.NOT_SERVING) : undefined;
  const wake = () => watchers.forEach((watcher) => watcher());

  async function* watch({ service }: { service: string }, { signal }: HandlerContext) {
    for (let last: Serving | undefined; !stopped && !signal.aborted;) {
      const status = statusOf(service) ?? Serving.SERVICE_UNKNOWN;
      if (status === last) await changed(watchers, signal);
      else yield { status: (last = status) };
    }
  }

  return {
    impl: {
      check({ service }) {
        const status = statusOf(service);
        if (status === undefined) throw new ConnectError(`no service ${service}`, Code.NotFound);
        return { status };
      },
      watch,
    },
    addService: (typeName) => void services.add(typeName),
    setServing(value) {
      serving = value;
      wake();
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}

function changed(watchers: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      watchers.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    watchers.add(wake);
    signal.addEventListener('abort', wake);
  });
}
