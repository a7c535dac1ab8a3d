import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@parley/stack/free-port';
import { natsCommand, natsUrl, untilNatsAnswers } from '@parley/stack/nats/server';
import { processFolder } from '@parley/stack/process-folder';
import { startServer, type TestServer } from './server.ts';

export type TestNatsOptions = {
  port?: number;
  /** The folder that is guarded and removed at the end; default: this process's own. */
  folder?: string;
  /** Read at each start; default: what a platform has. */
  maxPayloadBytes?: number;
  /** Passwords of users, as of a platform. Default: connections need no user. */
  passwordOf?: (user: string) => string;
  /** Folder of its certificate; it asks clients for one of the same authority. Default: no TLS. */
  tlsFolder?: string;
};

/** `storeDir` holds JetStream's files: removed between kill() and restart(), the server comes back wiped. */
export type TestNats = TestServer & { readonly storeDir: string };

/** Lines of a server's log that tell of a user who did more than it may; none where there is no such log. */
export function refusalsOf(logFile: string): string[] {
  if (!existsSync(logFile)) return [];
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /violation/i.test(line));
}

export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const guardFolder = options.folder ?? processFolder();
  const storeDir = path.join(guardFolder, `nats-${randomUUID()}`);
  const port = options.port ?? (await freePort());
  const server = await startServer({
    url: natsUrl({ port, tlsFolder: options.tlsFolder }),
    port,
    logFile: `${storeDir}.log`,
    guardFolder,
    stopSignal: 'SIGTERM',
    command: () => {
      const { maxPayloadBytes, passwordOf, tlsFolder } = options;
      return natsCommand({
        ...{ port, storeDir, passwordOf, tlsFolder },
        ...(maxPayloadBytes !== undefined && { maxPayloadBytes }),
      });
    },
    untilReady: (given) => untilNatsAnswers(port, given),
  });
  return Object.defineProperty(server, 'storeDir', { value: storeDir, enumerable: true }) as TestNats;
}

/**
 * Resolves with a function by which the server comes back with the files that it has now, without all that it stores meanwhile: as after a loss of
 * power, or from a snapshot. The server is killed and started again for it.
 */
export async function keepNatsFiles(nats: TestNats): Promise<() => Promise<void>> {
  const kept = `${nats.storeDir}-kept-${randomUUID()}`;
  await nats.kill();
  await cp(nats.storeDir, kept, { recursive: true });
  await nats.restart();
  return async () => {
    await nats.kill();
    await rm(nats.storeDir, { recursive: true });
    await rename(kept, nats.storeDir);
    await nats.restart();
  };
}
