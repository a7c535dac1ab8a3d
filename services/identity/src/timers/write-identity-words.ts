import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Context } from '../context.ts';
import { writeMissingWords } from '../sql/identity-word.ts';
import type { UserKey } from '../sql/identity.ts';

/** Identities that one transaction writes the words of. */
const BATCH = 500;

/** Writes the words of identities that a process of an earlier release made or changed, after an upgrade of all of them. */
export async function writeIdentityWords({ db }: Context, signal: AbortSignal): Promise<void> {
  let last: UserKey | undefined = { appId: NIL_UUID, userId: '' };
  while (last && !signal.aborted) {
    const after: UserKey = last;
    last = await db.tx((tx) => writeMissingWords(tx, after, BATCH));
  }
}
