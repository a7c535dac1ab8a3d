import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { owner } from '@parley/stack/postgres/unprivileged';
import { until } from '../../test/support/until.ts';
import { copyTree } from './copy-tree.ts';

/** Files of a running server that must not be in its backup. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+|pg_dynshmem\/.+)$/;
const ARCHIVED_WITHIN_MS = 120_000;

/** Runs `work` with a connection to the database of `url`. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Has the server archive its write-ahead log into `archive` from its next start on. */
export async function archiveFromNextStart(url: string, archive: string): Promise<void> {
  await mkdir(archive, { recursive: true });
  const as = owner();
  if (as) await chown(archive, as.uid, as.gid);
  const command = `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`;
  await withClient(url, async (client) => {
    await client.query(`alter system set archive_mode = 'on'`);
    await client.query(`alter system set archive_command = '${command}'`);
  });
}

/** A base backup of the running server whose data is in `data`, into `target`. It is of use with the archive alone. */
export async function backUp(url: string, data: string, target: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('drill', fast => true)`);
    await copyTree(data, target, (file) => LEFT_OUT.test(file));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeFile(path.join(target, 'backup_label'), rows[0]?.labelfile ?? '');
  });
}

/** Resolves when everything that was committed so far is in the archive. */
export async function untilArchived(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
    const wanted = rows[0]?.file ?? '';
    await until(
      'the write-ahead log is archived',
      async () => {
        const { rows: archived } = await client.query<{ last: string | null }>(
          'select last_archived_wal as last from pg_stat_archiver',
        );
        return (archived[0]?.last ?? '') >= wanted || undefined;
      },
      ARCHIVED_WITHIN_MS,
    );
  });
}

type Restore = { backup: string; archive: string; data: string; to: Date };

/** Replaces the data of a stopped server by a backup, which the next start brings to the moment `to` from the archive. */
export async function restore({ backup, archive, data, to }: Restore): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await copyTree(backup, data);
  // This setting does not take the `T` and the `Z` of ISO 8601.
  const time = to.toISOString().replace('T', ' ').replace('Z', '+00');
  const settings = [
    `restore_command = 'cp "${archive}/%f" "%p"'`,
    `recovery_target_time = '${time}'`,
    // Restored servers begin timelines of their own: the next one must not follow them, and finds none of them in the archive.
    `recovery_target_timeline = 'current'`,
    `archive_mode = 'off'`,
    `recovery_target_action = 'promote'`,
    // Nothing connects before the moment is reached.
    `hot_standby = 'off'`,
  ];
  await appendFile(path.join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  const signal = path.join(data, 'recovery.signal');
  await writeFile(signal, '');
  const as = owner();
  for (const file of ['backup_label', 'recovery.signal'])
    if (as) await chown(path.join(data, file), as.uid, as.gid);
}
