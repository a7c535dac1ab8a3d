import type { EventKind } from '@parley/domain/events';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { LoggedEvent } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { JOURNAL_CONSUMER } from '../consume/append-to-journal.ts';
import type { Context } from '../context.ts';
import {
  listJournalsToCompare,
  listUnhandled,
  setCompared,
  type ComparedJournal,
} from '../sql/compared-journal.ts';

const HOUR_MS = 3600_000;
/** Events younger than this may still be on their way. Milliseconds. */
const ON_ITS_WAY_MS = HOUR_MS;
const PAGE = 2_000;
const APPS_AT_ONCE = 100;
const PUBLISHED_WITHIN_MS = 60_000;

/** Kinds of events of conversations of which the journal has entries. */
const KINDS = [
  'message.created',
  'message.deleted',
  'receipt.created',
  'receipt.all_read',
  'receipt.all_delivered',
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
] as const satisfies readonly EventKind[];
const COMPARED: ReadonlySet<string> = new Set(KINDS);

/**
 * Compares each open journal once a day with messaging's change log, and has messaging publish what the consumer has not handled. It finds nothing
 * unless events were lost on their way, whatever the cause.
 */
export async function compareJournals(ctx: Context): Promise<void> {
  const until = ctx.clock.now() - ON_ITS_WAY_MS;
  for (let after = NIL_UUID; ;) {
    const journals = await listJournalsToCompare(ctx.db, {
      after,
      until: until - 24 * HOUR_MS,
      limit: APPS_AT_ONCE,
    });
    for (const journal of journals) {
      if (ctx.stopping.signal.aborted) return;
      await compareJournal(ctx, journal, until);
    }
    const last = journals.at(-1);
    if (!last || journals.length < APPS_AT_ONCE) return;
    after = last.appId;
  }
}

async function compareJournal(ctx: Context, { appId, since }: ComparedJournal, until: number): Promise<void> {
  try {
    const missing = await findMissing(ctx, { appId, since, until });
    if (missing.length > 0) {
      const first = Math.min(...missing.map(({ createdAt }) => createdAt));
      ctx.log.error({ appId, events: missing.length, since: new Date(first) }, 'journal misses events of the change log'); // prettier-ignore
      await ctx.logged.publishLoggedEvents({ appId, since: first }, { timeoutMs: PUBLISHED_WITHIN_MS });
    }
    await setCompared(ctx.db, appId, until);
  } catch (error) {
    ctx.log.warn({ error, appId }, 'failed to compare the journal with the change log; will retry');
  }
}

type Period = { appId: string; since: number; until: number };

async function findMissing(ctx: Context, period: Period): Promise<{ createdAt: number }[]> {
  const missing: { createdAt: number }[] = [];
  for (let after: LoggedEvent | undefined; ;) {
    const { events, isLast } = await ctx.logged.listLoggedEvents({
      ...period,
      limit: PAGE,
      ...(after && { after }),
    });
    const wanted = events.filter(({ kind }) => COMPARED.has(kind));
    const unhandled = await listUnhandled(ctx.db, JOURNAL_CONSUMER, wanted.map(({ id }) => id)); // prettier-ignore
    missing.push(...wanted.filter(({ id }) => unhandled.has(id)));
    after = events.at(-1);
    if (isLast || !after) return missing;
  }
}
