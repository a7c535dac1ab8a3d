import { check, type History, type Observed } from '../faults/history.ts';
import type { Downloaded, Uploaded } from './downloads.ts';

/** Everything that clients were told before the moment to which the platform was restored. */
export type Before = {
  history: History;
  uploaded: readonly Uploaded[];
  members: ReadonlyMap<string, readonly string[]>;
};

/** Everything that the restored platform shows. */
export type Restored = { observed: Observed; downloaded: readonly Downloaded[] };

/** Describes what the restored platform lacks, and what it shows although it was sent after that moment; empty when it is right. */
export function checkRestored({ history, uploaded, members }: Before, { observed, downloaded }: Restored) {
  const hashes = new Map(downloaded.map(({ message, hash }) => [message, hash]));
  const lost = uploaded.flatMap(({ message, hash }) => {
    if (hashes.get(message) === hash) return [];
    return [`the content of ${message} ${hashes.get(message) ? 'is another' : 'cannot be downloaded'}`];
  });
  return [...check(history, observed, members), ...lost];
}
