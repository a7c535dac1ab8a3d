import type { Context } from '../context.ts';
import { writeMissingWords } from '../sql/identity-word.ts';

/** Identities that one transaction writes the words of. */
const BATCH = 500;

/** Writes the words of identities that a process of an earlier release made or changed, after an upgrade of all of them. */
export async function writeIdentityWords({ db }: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await db.tx((tx) => writeMissingWords(tx, BATCH))) === BATCH);
}
