/** `times`: ten million users a month. `nodes`: servers of messaging's database that have cells; `cells`: 1 is no division at all. */
export type Installation = { name: string; times: number; nodes: number; cells: number };

export const INSTALLATIONS: readonly Installation[] = [
  { name: '10 million, one server', times: 1, nodes: 1, cells: 1 },
  { name: '30 million, 4 nodes', times: 3, nodes: 4, cells: 16 },
  { name: '100 million, 16 nodes', times: 10, nodes: 16, cells: 64 },
  { name: '200 million, 32 nodes', times: 20, nodes: 32, cells: 64 },
];

/** Messages of a day, of ten million users a month. */
export const MESSAGES_A_DAY = 60_000_000;
/** Bytes of a stored message with its indexes, and of its row in the change log. */
export const BYTES_STORED = 370;
export const BYTES_LOGGED = 400;
export const DAYS_LOGGED = 30;

/** Processor time of Postgres with the gate of Citus, as a multiple of that without. */
export const GATE_FACTOR = 1.3;
/** Share of its cores that a database may be busy in the busiest hour. */
export const POSTGRES_SHARE = 0.5;
/** Events that the leader of a stream stores, each published alone. */
export const PUBLISHES_A_SECOND = 30_000;
/** Bytes that a move copies in a second between two servers. */
export const MOVED_BYTES_A_SECOND = 100e6;
