import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import { HASH_SPACE, smallestHashes } from '@parley/usage/distinct';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  MinuteFigures,
  RecordFiguresRequest,
  RecordFiguresResponseSchema,
} from '@parley/proto/parley/identity/v1/figure_service_pb';
import type { Context } from '../context.ts';
import { columnsOf, NAMES_OF_COLUMNS } from '../figures/columns.ts';
import { addFigures, takeFigureBatch, type FigureRow } from '../sql/figure.ts';

const MINUTE_MS = 60_000;

export async function recordFigures(
  { db, clock }: Context,
  { processId, batch, minutes }: RecordFiguresRequest,
): RpcResponse<typeof RecordFiguresResponseSchema> {
  if (!isUuid(processId)) return fail('invalid_property', { property: 'process_id' });
  if (!isCount(batch)) return fail('invalid_property', { property: 'batch' });
  const rows = rowsOf(minutes);
  await db.tx(async (tx) => {
    if (await takeFigureBatch(tx, { processId, batch, now: clock.now() })) await addFigures(tx, rows);
  });
  return {};
}

/** Makes a row for each application and minute, and one for the platform in each minute. */
function rowsOf(minutes: readonly MinuteFigures[]): FigureRow[] {
  const rows = new Map<string, FigureRow>();
  for (const { appId, figures, userHashes } of minutes) {
    if (!figures) continue;
    const hashes = userHashes.filter((hash) => isCount(hash) && hash < HASH_SPACE);
    const counts = columnsOf((column) => countOf(figures[NAMES_OF_COLUMNS[column]]));
    const minute = Math.floor(countOf(figures.start) / MINUTE_MS) * MINUTE_MS;
    const row = { ...counts, minute, userHashes: smallestHashes(hashes) };
    for (const id of isUuid(appId) ? [appId.toLowerCase(), NIL_UUID] : [NIL_UUID]) {
      const key = `${id} ${minute}`;
      const known = rows.get(key);
      rows.set(key, known ? addedTo(known, row) : { ...row, appId: id });
    }
  }
  return [...rows.values()];
}

function addedTo(known: FigureRow, more: Omit<FigureRow, 'appId'>): FigureRow {
  const counts = columnsOf((column) =>
    column === 'max_lateness_ms' ? Math.max(known[column], more[column]) : known[column] + more[column],
  );
  return { ...known, ...counts, userHashes: smallestHashes([...known.userHashes, ...more.userHashes]) };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Invalid input of one process must not spoil the metrics of the others. */
function countOf(value: number): number {
  return isCount(value) ? value : 0;
}
