export function conversationKey(appId: string, id: string): string {
  return `${appId}/${id}`;
}

export function participantKey(row: { app_id: string; conversation_id: string; user_id: string }): string {
  return `${row.app_id}/${row.conversation_id}/${row.user_id}`;
}

/** The order in which transactions lock rows, as a comparison for `sort`. */
export function compareKeys(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function mapByKey<T>(rows: readonly T[], key: (row: T) => string): Map<string, T> {
  return new Map(rows.map((row) => [key(row), row]));
}
