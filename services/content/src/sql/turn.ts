/** A page of rows in turn by application: of each application after `after`, by id, `share` rows, and `limit` rows in all. */
export type Turn = { after: string; share: number; limit: number };
