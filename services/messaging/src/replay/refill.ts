import { NIL_UUID } from '@parley/kit/nil-uuid';
import { durableMessages } from '@parley/domain/events/durable-messages';
import type { Event, MessageDeleted } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { scanChanges, type ChangeCursor } from '../sql/log/change-scan.ts';
import { hydrate } from './hydrate.ts';

const PAGE = 500;

/**
 * The changes since a time as durable messages: with the ids of the original events and the present bodies. Of deleted
 * objects only the deletion remains.
 */
export async function* readLog(ctx: Context, since: number) {
  let after: ChangeCursor | undefined = { appId: NIL_UUID, conversationId: NIL_UUID, seq: 0 };
  while (after) {
    const page: Page = await readPage(ctx, since, after);
    yield durableMessages(page.events);
    after = page.last;
  }
}

/** `last`: undefined on the last page. */
type Page = { events: Event[]; last: ChangeCursor | undefined };

// A page ends where the next app begins, or where the answer's budget is used up.
function readPage(ctx: Context, since: number, after: ChangeCursor): Promise<Page> {
  return readSnapshot(ctx, async (sql) => {
    const rows = await scanChanges(sql, { since, after, limit: PAGE });
    const appId = rows[0]?.app_id ?? NIL_UUID;
    const own = rows.filter((row) => row.app_id === appId);
    const shown = await hydrate(sql, { appId, userId: '' }, own);
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
  if (body.case !== 'messageDeleted') return event;
  const message = body.value.message && { ...body.value.message, appId, conversationId };
  return { ...event, body: { case: body.case, value: { ...body.value, message } as MessageDeleted } };
}
