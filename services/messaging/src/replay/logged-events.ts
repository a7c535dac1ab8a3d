import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { durableMessages } from '@parley/domain/events/durable-messages';
import type { Event, MessageDeleted } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { isForInterestedOnly } from '../log/stored-events.ts';
import { scanAppChanges, scanChanges, type ChangeCursor, type ChangeScan } from '../sql/log/change-scan.ts';
import { listAwaitedApps } from '../sql/log/event-interest.ts';
import { hydrate } from './hydrate.ts';

const PAGE = 500;
/**
 * Changes from so much later than the beginning of a reading are left out: they are published when they are committed, and without an
 * end a reading would follow a conversation in use for ever. Clocks of processes differ by less.
 */
const AHEAD_MS = 5_000;

/**
 * The changes since a time as durable messages: with the ids of the original events and the present bodies. Of deleted
 * objects only the deletion remains, and of applications whose events no other service awaits only what is stored for all.
 */
export async function* readLog(ctx: Context, since: number) {
  const until = ctx.clock.now() + AHEAD_MS;
  let after: ChangeCursor | undefined = { appId: NIL_UUID, conversationId: NIL_UUID, seq: 0 };
  while (after) {
    const page: Page = await readPage(ctx, scanChanges, { since, until, after });
    yield durableMessages(await listStored(ctx, page.events));
    after = page.last;
  }
}

/** Reads the log of one application as events of all kinds. */
export async function* readAppLog(ctx: Context, appId: string, since: number) {
  const until = ctx.clock.now() + AHEAD_MS;
  let after: ChangeCursor | undefined = { appId, conversationId: NIL_UUID, seq: 0 };
  while (after) {
    const page: Page = await readPage(ctx, scanAppChanges, { since, until, after });
    yield page.events;
    after = page.last;
  }
}

async function listStored(ctx: Context, events: readonly Event[]): Promise<Event[]> {
  const [appId] = await listAwaitedApps(ctx.db, [...new Set(events.map((event) => event.appId))]);
  return events.filter((event) => event.appId === appId || !isForInterestedOnly(event));
}

/** `last`: undefined on the last page. */
type Page = { events: Event[]; last: ChangeCursor | undefined };

// A page ends where the next app begins, or where the answer's budget is used up.
function readPage(ctx: Context, scan: typeof scanChanges, from: Omit<ChangeScan, 'limit'>): Promise<Page> {
  return readSnapshot(ctx, async (sql) => {
    const rows = await scan(sql, { ...from, limit: PAGE });
    const appId = rows[0]?.app_id ?? NIL_UUID;
    const own = rows.filter((row) => row.app_id === appId);
    const shown = await hydrate(sql, { appId, userId: '', now: ctx.clock.now() }, own);
    const last = own[shown.length - 1];
    return { events: shown.flatMap((event) => toPublish(event) ?? []), last: last && cursorOf(last) };
  });
}

function cursorOf(row: { app_id: string; conversation_id: string; seq: number }): ChangeCursor {
  return { appId: row.app_id, conversationId: row.conversation_id, seq: row.seq };
}

function toPublish(event: Event): Event | undefined {
  const { body, appId, conversationId } = event;
  if (body.case === undefined) return undefined;
  if (body.case === 'conversationUpdated' && !body.value.conversation) return undefined;
  if (body.case !== 'messageDeleted') return event;
  const message = body.value.message && { ...body.value.message, appId, conversationId };
  return { ...event, body: { case: body.case, value: { ...body.value, message } as MessageDeleted } };
}
