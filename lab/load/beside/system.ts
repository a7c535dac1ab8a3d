import type { Crowd } from '../scenarios/deliveries.ts';
import type { Shape } from '../scenarios/shapes.ts';
import type { Measured } from '../usage.ts';

/** A running server that is measured, with its database. */
export type System = {
  /** The processes whose processor time counts. */
  readonly state: Measured;
  /** Sends until the processes run compiled code and have their caches. */
  warmUp(): Promise<void>;
  connectPairs(shape: Shape): Promise<Crowd>;
  connectGroup(shape: Shape): Promise<Crowd>;
  /** Messages in the database; a message may be stored for each of its users. */
  countStored(): Promise<number>;
  /** Rejects when the server refuses something or closes a connection. */
  readonly failed: Promise<never>;
  /** Ends it; its data goes. */
  stop(): Promise<void>;
};

export type SystemName = 'parley' | 'ejabberd';
