import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { natsCommand, natsUrl, untilNatsAnswers } from '../nats/server.ts';
import { processFolder } from './folder.ts';
import { startServer, type TestServer } from './server.ts';

export type TestNatsOptions = {
  port?: number;
  /** The folder that is guarded and removed at the end; default: this process's own. */
  folder?: string;
  /** Read at each start; default: what a platform has. */
  maxPayloadBytes?: number;
};

/** `storeDir` holds JetStream's files: removed between kill() and restart(), the server comes back wiped. */
export type TestNats = TestServer & { readonly storeDir: string };

export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const guardFolder = options.folder ?? processFolder();
  const storeDir = path.join(guardFolder, `nats-${randomUUID()}`);
  const port = options.port ?? (await freePort());
  const server = await startServer({
    url: natsUrl({ port }),
    port,
    logFile: `${storeDir}.log`,
    guardFolder,
    stopSignal: 'SIGTERM',
    command: () => {
      const { maxPayloadBytes } = options;
      return natsCommand({ port, storeDir, ...(maxPayloadBytes !== undefined && { maxPayloadBytes }) });
    },
    untilReady: (given) => untilNatsAnswers(port, given),
  });
  return Object.defineProperty(server, 'storeDir', { value: storeDir, enumerable: true }) as TestNats;
}
