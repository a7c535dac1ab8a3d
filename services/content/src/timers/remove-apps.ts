import type { Context } from '../context.ts';
import {
  deleteMessagesOfApp,
  deleteReferencesOfApp,
  endContentOfApp,
  forgetDeletedApp,
  listDeletedApps,
} from '../sql/deleted-app.ts';

/** Longer than a gateway may still let somebody in. What was begun by then is found, and nothing begins later. */
const SETTLED_MS = 60_000;
const BATCH = 1000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Ends whatever deleted apps have, in small transactions; their bytes go like those of other content that is over. */
export async function removeApps({ db, clock }: Context): Promise<void> {
  for (const appId of await listDeletedApps(db, clock.now() - SETTLED_MS)) {
    for (let after: string | undefined = NIL; after !== undefined;) {
      const ids: string[] = await endContentOfApp(db, { appId, after, at: clock.now(), limit: BATCH });
      after = ids.length === BATCH ? ids.at(-1) : undefined;
    }
    while ((await deleteReferencesOfApp(db, appId, BATCH)) === BATCH);
    while ((await deleteMessagesOfApp(db, appId, BATCH)) === BATCH);
    await forgetDeletedApp(db, appId);
  }
}
