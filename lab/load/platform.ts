import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { platformCatalog, type CatalogEntry } from '@parley/stack/local/catalog';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import { generate } from 'selfsigned';

/** A platform with its metrics served, and its inspectors where profiles are taken. */
export type MeasuredPlatform = {
  running: Platform;
  metricsPorts: Record<string, number>;
  /** Empty unless profiles are taken. */
  inspectorPorts: Record<string, number>;
  /** Certificate of push services, which the platform trusts. */
  tls: { key: string; cert: string };
  stop(): Promise<void>;
};

const ENVIRONMENT = {
  PARLEY_RATE_LIMIT_FACTOR: '0',
  PARLEY_MAX_PARTICIPANTS: '2000',
  PARLEY_MAX_SOCKETS_PER_USER: '1000',
};

export type MeasuredOptions = {
  /** Whether profiles will be taken. */
  profile: boolean;
  /** Ends the start. */
  signal?: AbortSignal;
};

/** Starts the processes of this checkout with durable commits, on free ports and in a folder that `stop` removes. */
export async function startMeasured({ profile, signal }: MeasuredOptions): Promise<MeasuredPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const entries = platformCatalog().filter(({ replicas }) => replicas !== 0);
  const metricsPorts = await portsOf(entries);
  const inspectorPorts = profile ? await portsOf(entries) : {};
  const catalog = entries.map((entry) =>
    observable(entry, metricsPorts[entry.name] ?? 0, inspectorPorts[entry.name]),
  );
  const tls = await createCertificate();
  const env = {
    '*': { ...ENVIRONMENT, PARLEY_PUSH_WEB_HOSTS: 'localhost' },
    push: pushEnvironment(dataDir, tls.cert),
  };
  const options = { dataDir, catalog, demo: false, env, ...(signal && { signal }) };
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  const running = await startPlatform({ ...options, port: await freePort() }).catch((error: unknown) => {
    removeData();
    throw error;
  });
  async function stop(): Promise<void> {
    await running.stop();
    removeData();
  }
  return { running, metricsPorts, inspectorPorts, tls, stop };
}

async function createCertificate(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  return { key, cert };
}

/** Push services on this machine. */
function pushEnvironment(folder: string, cert: string): Record<string, string> {
  const ca = path.join(folder, 'push-ca.pem');
  writeFileSync(ca, cert);
  return {
    PARLEY_PUSH_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: ca,
  };
}

async function portsOf(entries: readonly CatalogEntry[]): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  for (const { name } of entries) ports[name] = await freePort();
  return ports;
}

function observable(entry: CatalogEntry, metricsPort: number, inspectorPort?: number): CatalogEntry {
  return {
    ...entry,
    env(wiring) {
      const own = entry.env?.(wiring) ?? {};
      const inspect = inspectorPort && `--inspect=127.0.0.1:${inspectorPort}`;
      const nodeOptions = [own['NODE_OPTIONS'], inspect].filter(Boolean).join(' ');
      return {
        ...own,
        PARLEY_METRICS_PORT: String(metricsPort),
        ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
      };
    },
  };
}
