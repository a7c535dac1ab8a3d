import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { Database } from '@parley/kit/postgres';
import type { FixCutRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { allowCutTime, hasCut, insertCut, lockCut, type CutRef } from '../sql/transfer/export-cut.ts';

/** A timeout longer than that of other transactions, which is safe: the transaction locks no row that a send needs. */
const TIMEOUT_MS = 60_000;

/** Stores the cut in one statement, which sees all conversations at one moment. A repetition keeps the first cut. */
export async function fixCut({ db, shares }: Context, { appId, cutId }: FixCutRequest) {
  if (!isUuid(cutId) || !isUuid(appId)) return failNotFound('export', cutId);
  const cut = { appId, cutId };
  await shares.inOrder(appId, cutId, () => shares.runBackground(appId, () => fix(db, cut)));
  return {};
}

async function fix(db: Database, cut: CutRef): Promise<void> {
  if (await hasCut(db, cut)) return;
  await db.tx(
    async (tx) => {
      await allowCutTime(tx, TIMEOUT_MS);
      await lockCut(tx, cut);
      if (!(await hasCut(tx, cut))) await insertCut(tx, cut);
    },
    { timeoutMs: TIMEOUT_MS },
  );
}
