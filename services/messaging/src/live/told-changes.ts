import type { Epochs, Witness } from '@parley/kit/postgres/epoch';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { areKept, type ToldChange } from '../sql/log/told-change.ts';

/** The changes that this process told last: after a restart of the server they show whether the database has lost any. */
export type ToldChanges = { note(event: Event, epoch: string): void };

/** A copy of the database has all that was committed before what it has, so the last ones would do, were commits in order. */
const MAX_NOTED = 8;

export function createToldChanges(epochs: Epochs): ToldChanges {
  const noted = new Array<ToldChange | undefined>(MAX_NOTED).fill(undefined);
  let next = 0;
  epochs.onChange(() => noted.fill(undefined));
  epochs.witnessedBy(() => witnessOf(epochs.current(), noted.filter((one) => one !== undefined))); // prettier-ignore
  return {
    note(event, epoch) {
      if (epoch !== epochs.current()) return;
      noted[next] = event;
      next = (next + 1) % MAX_NOTED;
    },
  };
}

/** Undefined when nothing was told. */
export function witnessOf(epoch: string, told: readonly ToldChange[]): Witness | undefined {
  return told.length === 0 ? undefined : { epoch, query: areKept(told) };
}
