import { createConsoleServer, type ConsoleServer } from '@parley/console-server/index';
import type { OperatorLog } from '@parley/administration/audit/log';
import type { Admission } from './admission/index.ts';
import type { Config } from './config.ts';
import type { Channels } from './upstream/channels.ts';
import type { Process } from './upstream/process.ts';

export type { ConsoleServer };

type Parts = Process & Admission & { channels: Channels; auditLog: OperatorLog };

/** The console's server using parts of this process; undefined if it is a separate process. */
export function mountConsole(config: Config, parts: Parts): ConsoleServer | undefined {
  if (!config.console) return undefined;
  const { auth, ...rest } = parts;
  const { publicUrl, contentUrl, consoleUrl, compression } = config;
  return createConsoleServer(
    { ...config.console, publicUrl, contentUrl, consoleUrl },
    {
      ...rest,
      compresses: compression,
      rateFactor: config.limits.factor,
      trustedProxies: config.limits.trustedProxies,
      learnRevocations: () => auth.learnRevocations(),
    },
  );
}
