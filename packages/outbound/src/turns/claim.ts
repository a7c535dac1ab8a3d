import type { DeliveryOwner } from './concurrency-limiter.ts';

/** Number of further deliveries that a target may get. */
export type TargetCapacity = { targetId: string; capacity: number };

/** How many more deliveries an application may get, from its targets after one of them. */
export type AppShare = { appId: string; share: number; afterTargetId: string };

/** The question of a claim of due deliveries. */
export type ClaimRequest = {
  /** The beginning: the application at which the last claim ended. */
  after: string;
  limit: number;
  /** Capacities of targets; of all others: `capacity`. */
  capacities: readonly TargetCapacity[];
  capacity: number;
  /** Shares of applications; of all others: `share`. */
  shares: readonly AppShare[];
  share: number;
};

/** Claims due deliveries: round-robin by application and, within each, by target. */
export type ClaimDue<Delivery extends DeliveryOwner> = (request: ClaimRequest) => Promise<Delivery[]>;
