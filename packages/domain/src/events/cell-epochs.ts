const BETWEEN = ' ';

/** The epoch of a service with several cells: theirs, in the order of the cells. */
export function joinEpochs(epochs: readonly string[]): string {
  return epochs.join(BETWEEN);
}

/** The epochs of the cells of a service; one for a service without cells. */
export function splitEpochs(epoch: string): string[] {
  return epoch.split(BETWEEN);
}

/** Whether a cell that both name is in another epoch in `after`. One that `before` lacks is a new cell, and changes nothing. */
export function isAnotherEpoch(before: string, after: string): boolean {
  const known = splitEpochs(before);
  return splitEpochs(after).some((epoch, cell) => (known[cell] ?? epoch) !== epoch);
}
