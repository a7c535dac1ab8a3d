/** Rows of a part of a list of the server API, where it is the largest page. */
export const PART_ROWS = 100;

/** The row behind which the next part begins; undefined: this part was the last. */
export function nextOf(rows: readonly { id: string }[]): string | undefined {
  return rows.length < PART_ROWS ? undefined : rows.at(-1)?.id;
}

/**
 * The parameters of the page behind some rows. Conversations by last message move, so their pages follow each other by a cursor, which the
 * platform gives in `Link`.
 */
export function nextPageOf(rows: readonly { id: string }[], link: string | null): string | undefined {
  const last = nextOf(rows);
  const [cursor = ''] = /&cursor=[^>]*/.exec(link ?? '') ?? [];
  return last && `&from_id=${encodeURIComponent(last)}${cursor}`;
}
