import { isMisplaced, isOutage } from '../errors.ts';
import type { CellPlacement, Found, Place } from './place.ts';

/** A pool, or anything else that is opened at one place. */
type Opened = { close(): Promise<void> };

/** Opens something at the present place of a cell, and opens it again after the cell has moved. */
export type Moving<O extends Opened> = {
  /** Undefined: nothing is open yet. */
  readonly now: O | undefined;
  current(): Promise<O>;
  /** Runs work that opens a transaction, and repeats it at the cell's new place if the cell has moved: the first attempt did nothing. */
  repeat<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `connect`, and repeats it if a server is unreachable and the cell is on another one. */
  reconnect<T>(connect: (opened: O) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Known<O extends Opened> = { place: Place; opened: O };

/** If a cell moves again and again, something is wrong, and the caller must see it. */
const TRIES = 5;

export function createMoving<O extends Opened>(
  placement: CellPlacement,
  open: (found: Found) => O,
): Moving<O> {
  let known: Known<O> | undefined;
  let closed = false;

  async function current(): Promise<O> {
    const place = await placement.find();
    if (known && isSame(known.place, place)) {
      // The cell may have been elsewhere meanwhile.
      known.place = place;
      return known.opened;
    }
    if (closed) throw new Error('the database is closed');
    // Work with a connection to the former place continues there, and is refused by its gate.
    void known?.opened.close();
    known = openAt(place);
    return known.opened;
  }

  function openAt(place: Place): Known<O> {
    const misplaced = (): void => placement.forget(opening.place);
    const opening: Known<O> = { place, opened: open({ place, misplaced }) };
    return opening;
  }

  return {
    get now() {
      return known?.opened;
    },
    current,
    async repeat(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await work();
        } catch (error) {
          if (tries === TRIES || !isMisplaced(error)) throw error;
        }
      }
    },
    async reconnect(connect) {
      const opened = await current();
      try {
        return await connect(opened);
      } catch (error) {
        if (!isOutage(error)) throw error;
        if (known?.opened === opened) placement.forget(known.place);
        const found = await current();
        if (found === opened) throw error;
        return connect(found);
      }
    },
    async close() {
      closed = true;
      await known?.opened.close();
    },
  };
}

function isSame(one: Place, other: Place): boolean {
  return one.url === other.url && one.schema === other.schema && one.gate.text === other.gate.text;
}
