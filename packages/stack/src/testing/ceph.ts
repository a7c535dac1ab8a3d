import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  addOsd,
  addUser,
  gatewayCommand,
  monitorCommand,
  osdCommand,
  prepareCluster,
  untilGatewayAnswers,
  untilMonitorAnswers,
} from '../ceph/cluster.ts';
import { cephSettings } from '../ceph/settings.ts';
import { freePort } from '../free-port.ts';
import { processFolder } from './folder.ts';
import { startServer, type TestServer } from './server.ts';

/** An S3 server, with what it takes to use it. */
export type S3Access = { endpoint: string; region: string; accessKey: string; secretKey: string };

/** The server is the S3 gateway: what it stored outlives its kill() and restart(). */
export type TestCeph = TestServer & { readonly access: S3Access };

/** Ceph must be installed. */
export async function startCeph({ folder = processFolder() } = {}): Promise<TestCeph> {
  const home = path.join(folder, `ceph-${randomUUID()}`);
  mkdirSync(home, { recursive: true });
  const settings = cephSettings(home, await freePort(), await freePort());
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
  const gateway = await startServer({
    ...daemon('rgw', settings.gatewayPort),
    command: () => Promise.resolve(gatewayCommand(settings)),
    untilReady: (given) => untilGatewayAnswers(settings, given),
  });
  await addUser(settings);
  const { accessKey, secretKey } = settings;
  const access = { endpoint: gateway.url, region: 'us-east-1', accessKey, secretKey };
  return Object.defineProperty(gateway, 'access', { value: access, enumerable: true }) as TestCeph;
}
