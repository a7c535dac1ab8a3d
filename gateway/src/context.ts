import type { Transport } from '@connectrpc/connect';
import { createOperatorLog } from '@parley/administration/audit/log';
import { limits } from '@parley/contract/limits';
import { createWire } from '@parley/domain/wire';
import { createRequestLog } from '@parley/http/request-log';
import type { Stopper } from '@parley/kit/runtime/process';
import { openBase, type Base, type BaseOverrides } from '@parley/kit/service/base';
import { openFigures } from '@parley/usage/recorder';
import { createAdmission } from './admission/index.ts';
import type { Config } from './config.ts';
import { mountConsole, type ConsoleServer } from './mount-console.ts';
import { createHub } from './realtime/connection/hub.ts';
import type { RealtimeContext } from './realtime/context.ts';
import { createChannels, type Channels } from './upstream/channels.ts';
import { createUpstream } from './upstream/index.ts';
import type { Process } from './upstream/process.ts';

/** Everything that is opened, waits or is shared. Each folder knows only its part. */
export type GatewayContext = RealtimeContext & {
  config: Config;
  /** Undefined: the console's server is a separate process. */
  consoleServer: ConsoleServer | undefined;
};

/** Replacements that tests inject. */
export type Overrides = BaseOverrides & {
  identityTransport?: Transport;
  messagingTransport?: Transport;
  contentTransport?: Transport;
};

/** Opens everything the gateway needs and registers it with `stopper` for closing. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<GatewayContext> {
  const largestMessage = limits.eventBytes;
  const base = await openBase({ name: 'gateway', config, overrides, stopper, largestMessage });
  const channels = createChannels(config, { log: base.log, tls: base.tls, stopper, ...overrides });
  const shared = openProcess(config, { base, channels, stopper });
  const { wire, errorDocs, log } = shared;
  const hub = createHub();
  const isFollowed = (appId: string) => hub.usersOf(appId) !== undefined;
  const upstream = createUpstream({ config, channels, base, stopper, isFollowed });
  const auditLog = createOperatorLog({ access: upstream.consoleAccess, errorDocs, log });
  stopper.add('audit log', () => auditLog.stop());
  const admission = createAdmission({
    config: config.limits,
    clients: upstream,
    wire,
    base,
    stopper,
    auditLog,
  });
  const consoleServer = mountConsole(config, { ...shared, ...admission, channels, auditLog });
  return {
    ...shared,
    ...upstream,
    ...admission,
    config,
    hub,
    consoleServer,
    errorsPage: () => consoleServer?.errorsPage() ?? Promise.resolve(undefined),
  };
}

type Opened = { base: Base; channels: Channels; stopper: Stopper };

function openProcess(config: Config, { base, channels, stopper }: Opened): Process {
  const { log, clock } = base;
  const wire = createWire(config.wireName);
  const { slowRequestMs: slowMs, requestLogShare: share } = config;
  return {
    ...base,
    wire,
    errorDocs: { url: `${config.publicUrl}/docs/errors`, wire },
    requestLog: createRequestLog({ log, clock, slowMs, share }),
    figures: openFigures(channels.identity, base, stopper),
  };
}
