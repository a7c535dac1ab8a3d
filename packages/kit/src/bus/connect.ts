import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTimeout } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';
import { TLS_FILES } from '../runtime/tls/folder.ts';
import { LONGEST_SILENCE_MS, type Pinged } from './connection-liveness.ts';

/** Pause between attempts to connect. Milliseconds. */
export const RETRY_MS = 250;
const JITTER_MS = 100;
/** Time limit for flushing a connection that is being closed. */
const DRAIN_MS = 2_000;
/** Longest time of an attempt to connect to one server. */
const CONNECT_MS = 2_000;
/** How long messages may get lost until a dead connection is replaced, provided the server can be reached. Milliseconds. */
export const REPLACED_AFTER_MS = LONGEST_SILENCE_MS + RETRY_MS + CONNECT_MS;
/** Time limit for resolving a server's name. Milliseconds. */
const RESOLVE_MS = 3_000;

/** Identity and addresses with which a process connects to NATS servers. */
export type NatsAccess = {
  /** Addresses of servers, separated by commas. */
  url: string;
  /** Name of the process. Answers to its requests arrive on the subjects below `_INBOX_<name>`, which only its user may read. */
  name: string;
  /** Default: the name of the process if there is a password. */
  user?: string | undefined;
  password?: string | undefined;
  /**
   * Folder with `ca.crt`, against which server certificates are checked, and `tls.crt` and `tls.key` for servers that request a client
   * certificate. Read for each connection. Default: no TLS, or the system's authorities if an address begins with `tls:`.
   */
  tlsFolder?: string | undefined;
};

/** Tries to connect once. Once established, the connection reconnects without help. */
export function connectOnce(options: NatsAccess): Promise<NatsConnection> {
  const { name, user = name, password } = options;
  const servers = options.url.split(',');
  const limit = RESOLVE_MS + CONNECT_MS * servers.length;
  // The client's own time limit starts only when the name is resolved: without this limit, start and stop would wait for unresponsive name
  // servers.
  const connecting = openConnection({
    servers,
    name,
    inboxPrefix: `_INBOX_${name}`,
    ...(password !== undefined && { user, pass: password }),
    ...tlsOf(options),
  });
  return new Promise((resolve, reject) => {
    const cancel = startTimeout(limit, () => {
      reject(new Error(`not connected within ${limit} ms`));
      connecting.then((nc) => nc.close()).catch(() => undefined);
    });
    connecting.then(resolve, reject).finally(cancel);
  });
}

/** Options with which the client refuses a server without TLS. */
function tlsOf({ url, tlsFolder }: NatsAccess): Pick<ConnectionOptions, 'tls'> {
  if (tlsFolder === undefined) return url.includes('tls://') ? { tls: {} } : {};
  const [caFile, certFile, keyFile] = [TLS_FILES.ca, TLS_FILES.cert, TLS_FILES.key].map((name) =>
    path.join(tlsFolder, name),
  );
  const hasOwn = existsSync(certFile!);
  return { tls: { caFile: caFile!, ...(hasOwn && { certFile: certFile!, keyFile: keyFile! }) } };
}

/**
 * Tells the client how long to wait between attempts. The client measures by the machine's clock, and would wait for hours after that clock
 * was set back by hours. So the wait is measured here by the monotonic clock, and the client is told to try at once when it is over.
 */
function createReconnectDelay(): () => number {
  let triedAt = -Infinity;
  return () => {
    const at = performance.now();
    const waitMs = RETRY_MS + Math.random() * JITTER_MS;
    if (at - triedAt < waitMs) return waitMs;
    triedAt = at;
    return -Infinity;
  };
}

function openConnection(given: ConnectionOptions): Promise<NatsConnection> {
  return connect({
    ...given,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: createReconnectDelay(),
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    noAsyncTraces: true,
  });
}

/** Sends pending messages as far as possible: on a dead connection the client's own drain() would never end. */
export async function drain(nc: NatsConnection, log: Logger): Promise<void> {
  const drained = nc
    .drain()
    .catch((error: unknown) => log.warn({ error }, 'failed to drain NATS connection'));
  const waited = new AbortController();
  await Promise.race([drained, delay(DRAIN_MS, undefined, { signal: waited.signal }).catch(() => undefined)]);
  waited.abort();
}

type Transported = NatsConnection & { protocol: { transport: { close(): Promise<void> } } };

function isTransported(nc: NatsConnection): nc is Transported {
  return 'protocol' in nc;
}

/** The part of a connection that the liveness check uses. */
export function pingedBy(nc: NatsConnection): Pinged {
  return {
    ping: () => nc.flush(),
    received: () => nc.stats().inMsgs,
    // nc.reconnect() first sends all buffered data, which never ends on a dead connection whose buffers are full.
    drop: () =>
      void (isTransported(nc) ? nc.protocol.transport.close() : nc.reconnect()).catch(() => undefined),
  };
}
