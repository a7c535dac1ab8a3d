import type { Query } from '../connection.ts';

/** The server that has a cell now, and how transactions start there. */
export type Place = {
  url: string;
  /** The schema of the views: the only one in `search_path`. */
  schema: string;
  /** The first statement of every transaction. It fails with `PM001` when the cell is on another server. */
  gate: Query;
};

/** A place, and a function to call when a statement shows that the cell has left it. */
export type Found = { place: Place; misplaced: () => void };

/** Finds the server of a movable cell. */
export type CellPlacement = {
  find(): Promise<Place>;
  /** Makes the next call of `find` ask the cluster, unless another place has been found since. */
  forget(place: Place): void;
};

/** The cell of a database; `placement`: absent if its schema stays on the server of the given address. */
export type Cell = { name: string; placement?: CellPlacement };
