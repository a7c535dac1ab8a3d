import { blobSettings } from '@parley/blobs/settings';
import { openFolderObjects } from '@parley/blobs/objects/folder';
import type { Objects } from '@parley/blobs/objects/objects';
import { openS3Objects } from '@parley/blobs/objects/s3';
import { int, str } from '@parley/kit/runtime/config/env';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

const { endpoint, region, accessKey, secretKey, tlsFolder } = blobSettings;

/** Settings of the journal of what a restore must not undo. */
export const journalSettings = {
  endpoint,
  region,
  accessKey,
  secretKey,
  tlsFolder,
  bucket: setting(
    'PARLEY_JOURNAL_BUCKET',
    str({ default: undefined }),
    'Bucket of that object storage for the [journal](operations.md#the-journal). Neither bucket nor folder: no journal is kept.',
  ),
  folder: setting(
    'PARLEY_JOURNAL_FOLDER',
    str({ default: undefined }),
    'Folder for the journal, instead of a bucket.',
  ),
  days: setting(
    'PARLEY_JOURNAL_DAYS',
    int({ min: 1, max: 3_650 })({ default: 60 }),
    'Days that entries of the journal are kept: longer than the oldest backup.',
  ),
};

export type JournalSettings = ConfigOf<typeof journalSettings>;

/** Throws when a bucket is named without the object storage that it is in. */
export function checkJournal({ bucket, endpoint, accessKey, secretKey }: JournalSettings): void {
  if (bucket !== undefined && !(endpoint && accessKey && secretKey)) {
    throw new Error(
      'bad environment: PARLEY_S3_ENDPOINT, PARLEY_S3_ACCESS_KEY, PARLEY_S3_SECRET_KEY: are required with PARLEY_JOURNAL_BUCKET',
    );
  }
}

/** Opens the store of the journal; undefined: no journal is kept. */
export async function openJournalStore(settings: JournalSettings): Promise<Objects | undefined> {
  const { bucket, folder, endpoint, region, accessKey, secretKey, tlsFolder } = settings;
  if (folder !== undefined) return openFolderObjects(folder);
  if (bucket === undefined || !endpoint || !accessKey || !secretKey) return undefined;
  return openS3Objects({ endpoint, region, bucket, accessKey, secretKey, tlsFolder });
}
