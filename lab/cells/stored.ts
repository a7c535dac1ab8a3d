import { withClient } from '../drill/postgres-backup.ts';

type Row = { conversation: string; id: string; position: number };

/** The messages of all cells by conversation, in the order of their positions. `url`: of the coordinator. */
export async function readStored(url: string, cells: readonly string[]): Promise<Map<string, Row[]>> {
  return withClient(url, async (client) => {
    const found = new Map<string, Row[]>();
    for (const cell of cells) {
      const { rows } = await client.query<Row>(
        `select conversation_id as conversation, id, position::float8 from ${cell}.message order by conversation_id, position`,
      );
      for (const row of rows) {
        const own = found.get(row.conversation) ?? [];
        own.push(row);
        found.set(row.conversation, own);
      }
    }
    return found;
  });
}

/** Lists what contradicts that exactly these messages are stored, or with `mayBeMore` at least these, each once and without gaps. */
export function judgeStored(
  stored: ReadonlyMap<string, readonly Row[]>,
  sent: ReadonlyMap<string, readonly string[]>,
  { mayBeMore = false } = {},
): string[] {
  const faults: string[] = [];
  for (const [conversation, ids] of sent) {
    const rows = stored.get(conversation) ?? [];
    const there = new Set(rows.map(({ id }) => id));
    const lost = ids.filter((id) => !there.has(id)).length;
    if (lost > 0) faults.push(`${conversation}: ${lost} of ${ids.length} acknowledged messages are lost`);
    if (there.size < rows.length) faults.push(`${conversation}: ${rows.length - there.size} are doubled`);
    if (!mayBeMore && there.size > new Set(ids).size)
      faults.push(`${conversation}: ${there.size - ids.length} messages were never acknowledged`);
    if (rows.some(({ position }, index) => position !== index + 1))
      faults.push(`${conversation}: its positions have gaps`);
  }
  return faults;
}
