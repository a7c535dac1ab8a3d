import type { Query } from '../connection.ts';

/** A server that has a cell now, and how transactions there begin. */
export type Place = {
  url: string;
  /** The schema of the views: the `search_path` alone. */
  schema: string;
  /** The first statement of every transaction. It fails with `PM001` when the cell is on another server. */
  gate: Query;
};

/** A place, and what is to be called when a statement shows that the cell is not there any more. */
export type Found = { place: Place; misplaced: () => void };

/** Finds the server of a cell that may move. */
export type CellPlacement = {
  find(): Promise<Place>;
  /** Has the next call of `find` ask the cluster, unless it has found another place since. */
  forget(place: Place): void;
};

/** The cell of a database; `placement`: absent where its schema is on the server of the given address for good. */
export type Cell = { name: string; placement?: CellPlacement };
