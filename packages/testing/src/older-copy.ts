import { execFile } from 'node:child_process';
import { appendFile, chown, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { owner } from '@parley/stack/postgres/unprivileged';

const run = promisify(execFile);

/** A copy of the data folder of a Postgres that is stopped. */
export type OlderCopy = {
  /** Has the stopped server go on from the copy, on the line of history that it was on: somebody put older files in the place of newer ones. */
  putBack(): Promise<void>;
  /** Makes the copy continue on another line of history, as a standby that was behind does when it is promoted, or a server that is restored to a moment. */
  promote(): Promise<void>;
};

/** Copies the data of a stopped server, with owners and modes. */
export async function copyStopped(dataDir: string, copy: string): Promise<OlderCopy> {
  await run('cp', ['-a', dataDir, copy]);
  async function putBack(): Promise<void> {
    await rm(dataDir, { recursive: true, force: true });
    await run('cp', ['-a', copy, dataDir]);
  }
  return {
    putBack,
    async promote() {
      await putBack();
      // There is no more log to be had: it is promoted at once.
      await appendFile(path.join(dataDir, 'postgresql.auto.conf'), `restore_command = 'false'\n`);
      const signal = path.join(dataDir, 'recovery.signal');
      await writeFile(signal, '');
      const as = owner();
      if (as) await chown(signal, as.uid, as.gid);
    },
  };
}
