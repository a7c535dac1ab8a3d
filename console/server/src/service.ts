import { createClient } from '@connectrpc/connect';
import { createOperatorLog } from '@parley/administration/audit/log';
import { createWire } from '@parley/domain/wire';
import { createAddressLimits } from '@parley/http/limits/address-limits';
import { createRequestLog } from '@parley/http/request-log';
import { serveMetrics } from '@parley/kit/http/metrics-server';
import { openChannel } from '@parley/kit/rpc/open-channel';
import { createStopper, type Running, type Stopper } from '@parley/kit/runtime/process';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import { openCallerBase, type BaseOverrides, type CallerBase } from '@parley/kit/service/base';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createContext, type Parts } from './context.ts';
import { exceptAtConsole } from './http/console-host.ts';
import { listenAlone } from './listener.ts';
import { createSite } from './site/index.ts';

const NAME = 'console-server';

/** `metrics_port` -1: that port is not listened on. */
export type Service = Running & { address: { http_port: number; metrics_port: number } };

/** The console's server as a process of its own: one port serves operators and the documentation. */
export async function createService(config: Config, overrides: BaseOverrides = {}): Promise<Service> {
  const stopper = createStopper();
  try {
    return await start(config, overrides, stopper);
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function start(config: Config, overrides: BaseOverrides, stopper: Stopper): Promise<Service> {
  stopper.add('tracing', await startTracing({ service: NAME, endpoint: config.otlpEndpoint }));
  const base = openCallerBase({ name: NAME, config, overrides, stopper });
  const context = createContext(config, openParts(config, base, stopper));
  const { handler } = createSite(config, context);
  const site = handler && exceptAtConsole(config, handler);
  const listener = listenAlone(context, createApp(context, { operators: 'console', site }));
  stopper.add('http', () => listener.stop());
  const httpPort = await listener.listen(config.consolePort);
  const metrics = await serveMetrics({
    port: config.metricsPort,
    host: config.internalHost,
    metrics: base.metrics,
    ready: () => listener.server.listening,
  });
  stopper.add('metrics', () => metrics.stop());
  const address = { http_port: httpPort, metrics_port: metrics.port };
  return { address, stop: () => stopper.stop() };
}

function openParts(config: Config, { log, metrics, clock, tls }: CallerBase, stopper: Stopper): Parts {
  const { rpcSecret: secret, publicUrl, slowRequestMs: slowMs, requestLogShare: share } = config;
  const { factor, trustedProxies } = config.limits;
  const open = (name: string, address: string) => openChannel({ name, address, secret, log, tls }, stopper);
  const channels = {
    identity: open('identity', config.identityAddress),
    messaging: open('messaging', config.messagingAddress),
    content: open('content', config.contentAddress),
    push: open('push', config.pushAddress),
  };
  const wire = createWire(config.wireName);
  const errorDocs = { url: `${publicUrl}/docs/errors`, wire };
  const access = createClient(ConsoleService, channels.identity);
  const auditLog = createOperatorLog({ access, errorDocs, log });
  stopper.add('audit log', () => auditLog.stop());
  return {
    log,
    metrics,
    clock,
    wire,
    errorDocs,
    channels,
    auditLog,
    trustedProxies,
    requestLog: createRequestLog({ log, clock, slowMs, share }),
    limits: createAddressLimits(config.limits, clock),
    rateFactor: factor,
    // Answers that express does not write are refusals, which are small.
    compresses: false,
    // Gateways learn by themselves, within a second: this process keeps no tokens.
    learnRevocations: () => Promise.resolve(),
  };
}
