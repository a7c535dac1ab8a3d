import { fromBinary } from '@parley/codec';
import { bulkReceiptOf } from '@parley/domain/events/bulk-receipt';
import { isExportEvent } from '@parley/domain/events/export-events';
import { exportEventJson, type ExportEventJson } from '@parley/domain/json/export-event';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { hideErased } from './hide-erased.ts';
import { expandBulkReceipt } from './expand-bulk-receipt.ts';
import { listErasedPersons } from '../sql/erased-person.ts';
import type { ExportRow } from '../sql/export.ts';
import { listJournal } from '../sql/journal.ts';
import { jsonArrayItems } from './json-array.ts';

const PAGE_SIZE = 500;
/** A time before any event. */
const YEAR_ONE_MS = -62_135_596_800_000;

/** The text of a scheduled export.json: a range of the journal, by time. docs/protocol/exports.md#scheduled-archives */
export async function* scheduledDocument(
  ctx: Context,
  row: ExportRow,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield Buffer.from('{"events":[');
  yield* jsonArrayItems(ctx.turns.inTurn(row.app_id, events(ctx, row, signal)));
  yield Buffer.from(']}\n');
}

async function* events(ctx: Context, row: ExportRow, signal: AbortSignal): AsyncGenerator<ExportEventJson[]> {
  const { app_id: appId, after_number, last_number, events: kinds } = row;
  const view = ctx.viewOf(appId);
  const erased = await listErasedPersons(ctx.db, appId);
  const range = { after: after_number ?? 0, until: last_number ?? 0 };
  for (let from = { at: YEAR_ONE_MS, number: 0 }; ;) {
    signal.throwIfAborted();
    const page = await listJournal(ctx.db, { appId, range, kinds: kinds ?? [], from, limit: PAGE_SIZE });
    const rendered: ExportEventJson[] = [];
    for (const { kind, event: bytes } of page) {
      const event = fromBinary(EventSchema, bytes);
      hideErased(event, erased);
      if (!isExportEvent(kind)) continue;
      const bulk = bulkReceiptOf(event);
      if (!bulk) rendered.push(exportEventJson(view, kind, event));
      else {
        for await (const receipts of expandBulkReceipt(ctx, { event, bulk }, signal)) {
          yield rendered.splice(0);
          yield receipts.map((receipt) => exportEventJson(view, kind, receipt));
        }
      }
    }
    yield rendered;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    from = { at: last.at, number: last.number };
  }
}
