import { compareInterests, registerInterest, type AwaitedApp } from '@parley/domain/events/interests';
import type { Context } from '../context.ts';
import { listAppsWithOpenJournal } from '../sql/journal.ts';

const TIMEOUT_MS = 2_000;

/**
 * Has the events of an application stored from the opening of its journal on. If messaging cannot be reached, a timer does it
 * later, and nothing is missed: the events of the meantime come from the change log.
 */
export async function awaitEvents(ctx: Context, app: AwaitedApp): Promise<void> {
  try {
    await registerInterest({ client: ctx.interests, consumer: 'export' }, app, TIMEOUT_MS);
  } catch (error) {
    ctx.log.warn({ error, appId: app.appId }, 'failed to register the interest in events; will retry');
  }
}

/** Registers the applications whose journal is open, and drops the others. */
export async function compareEventInterests({ db, interests }: Context): Promise<void> {
  await compareInterests({ client: interests, consumer: 'export' }, (after, limit) =>
    listAppsWithOpenJournal(db, after, limit),
  );
}
