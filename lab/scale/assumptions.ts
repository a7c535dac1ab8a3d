/** Ten million users a month in their busiest hour. */
export const SOCKETS = 300_000;
export const MESSAGES_A_SECOND = 2_800;
/** A message: so many deliveries to sockets and receipts. */
export const DELIVERIES = 2;
export const RECEIPTS = 2;

export const ZONES = 3;
export const LIVE_SHARDS = 64;
/** Sockets for which a gateway is planned; below, the most that it can hold. */
export const SOCKETS_A_GATEWAY = 20_000;
export const MAX_SOCKETS_A_GATEWAY = 40_000;
/** Share of a core that a process may be busy in the busiest hour after the loss of a zone. */
export const PLANNED_SHARE = 0.65;
/** Cores of the server of messaging's database and of the NATS node that leads the stream; a gateway and a messaging have one core. */
export const POSTGRES_CORES = 4;
export const NATS_CORES = 2;

/** Clients of a lost gateway come back within this time, and each missed so many packets. Seconds. */
export const RECONNECTED_WITHIN_S = 30;
export const MISSED_PACKETS = 5;
/** Time until the standby of a database has taken over. Seconds. */
export const FAILOVER_S = 30;
/** A burst has this many times the messages of the busiest hour, for so many seconds. */
export const BURST = 5;
export const BURST_S = 60;
