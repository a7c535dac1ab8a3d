import type { Logger } from '../../runtime/telemetry/log.ts';

/** Rows sealed with an old key, and how to seal them again. */
export type Resealing<Row> = {
  /** Names the rows in log lines, in the plural, for example `secrets of webhooks`. */
  what: string;
  /** Reads the rows after the given one, in key order; no rows: it was the last one. */
  list(after: Row | undefined): Promise<Row[]>;
  /** Returns the row sealed with the present key. Throws when the row cannot be opened. */
  seal(row: Row): Buffer;
  /** Stores the resealed row unless it has changed meanwhile: changed rows are already sealed with the present key. */
  replace(row: Row, sealed: Buffer): Promise<void>;
};

/** Reseals rows of an old key with the present key, page by page, so that the old key can be retired. */
export async function resealRows<Row>(
  { log, signal }: { log: Logger; signal: AbortSignal },
  { what, list, seal, replace }: Resealing<Row>,
): Promise<void> {
  let resealed = 0;
  let unreadable = 0;
  let last: Row | undefined;
  do {
    const page = await list(last);
    for (const row of page) {
      const sealed = sealOrNot(seal, row);
      if (sealed) await replace(row, sealed);
      if (sealed) resealed += 1;
      else unreadable += 1;
    }
    last = page.at(-1);
  } while (last !== undefined && !signal.aborted);
  if (resealed > 0) log.info({ what, resealed }, 'sealed rows with the present key');
  if (unreadable > 0) log.error({ what, unreadable }, 'rows are sealed with a key that is not configured');
}

function sealOrNot<Row>(seal: (row: Row) => Buffer, row: Row): Buffer | undefined {
  try {
    return seal(row);
  } catch {
    return undefined;
  }
}
