import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  addBucket,
  addOsd,
  addUser,
  prepareCluster,
  untilGatewayAnswers,
  untilMonitorAnswers,
} from './ceph/cluster.ts';
import { gatewayCommand, monitorCommand, osdCommand } from './ceph/commands.ts';
import { accessOf, cephSettings, type S3Access } from './ceph/settings.ts';
import { freePort } from '@parley/stack/free-port';
import { processFolder } from '@parley/stack/process-folder';
import { startServer, type TestServer } from './server.ts';

export type { S3Access };

/** The server is the S3 gateway: what it stored outlives its kill() and restart(). */
export type TestCeph = TestServer & { readonly access: S3Access };

type Options = {
  folder?: string;
  /** Folder with `ca.crt`, `tls.crt` and `tls.key`: the server takes connections with TLS alone. */
  tlsFolder?: string;
  /** A bucket that is made. */
  bucket?: string;
};

/** Ceph must be installed. */
export async function startCeph({
  folder = processFolder(),
  tlsFolder,
  bucket,
}: Options = {}): Promise<TestCeph> {
  const home = path.join(folder, `ceph-${randomUUID()}`);
  mkdirSync(home, { recursive: true });
  const settings = cephSettings({
    folder: home,
    monitorPort: await freePort(),
    gatewayPort: await freePort(),
    tlsFolder,
  });
  const ca = tlsFolder === undefined ? undefined : readFileSync(path.join(tlsFolder, 'ca.crt'));
  await prepareCluster(settings);
  const daemon = (name: string, port: number) => ({
    url: `http://127.0.0.1:${port}`,
    port,
    logFile: settings.at(`${name}.log`),
    guardFolder: folder,
    stopSignal: 'SIGKILL' as const,
  });
  await startServer({
    ...daemon('mon', settings.monitorPort),
    command: () => Promise.resolve(monitorCommand(settings)),
    untilReady: (given) => untilMonitorAnswers(settings, given),
  });
  await addOsd(settings);
  await startServer({
    ...daemon('osd', 0),
    command: () => Promise.resolve(osdCommand(settings)),
    // The gateway waits for it by itself.
    untilReady: () => Promise.resolve(),
  });
  const url = `${tlsFolder === undefined ? 'http' : 'https'}://127.0.0.1:${settings.gatewayPort}`;
  const gateway = await startServer({
    ...daemon('rgw', settings.gatewayPort),
    url,
    command: () => Promise.resolve(gatewayCommand(settings)),
    untilReady: (given) => untilGatewayAnswers(url, { given, ca }),
  });
  await addUser(settings);
  if (bucket !== undefined) await addBucket(settings, url, { name: bucket, ca });
  const access = accessOf(settings, gateway.url);
  return Object.defineProperty(gateway, 'access', { value: access, enumerable: true }) as TestCeph;
}
