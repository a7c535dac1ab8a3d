import { compareInterests, registerInterest, type AwaitedApp } from '@parley/domain/events/interests';
import type { Context } from '../context.ts';
import { listAppsWithWebhooks } from '../sql/webhook.ts';

const TIMEOUT_MS = 2_000;

/**
 * Has the events of an application stored from the creation of its webhook on. If messaging cannot be reached, a timer does it
 * later, and nothing is missed: the events of the meantime come from the change log.
 */
export async function awaitEvents(ctx: Context, app: AwaitedApp): Promise<void> {
  try {
    await registerInterest({ client: ctx.interests, consumer: 'webhook' }, app, TIMEOUT_MS);
  } catch (error) {
    ctx.log.warn({ error, appId: app.appId }, 'failed to register the interest in events; will retry');
  }
}

/** Registers the applications that have webhooks, in any state, and drops the others. */
export async function compareEventInterests({ db, interests }: Context): Promise<void> {
  await compareInterests({ client: interests, consumer: 'webhook' }, (after, limit) =>
    listAppsWithWebhooks(db, after, limit),
  );
}
