const BETWEEN = ' ';

/** The epoch of a service with several cells: the cells' epochs, in order. */
export function joinEpochs(epochs: readonly string[]): string {
  return epochs.join(BETWEEN);
}

/** The epochs of a service's cells; a single one for a service without cells. */
export function splitEpochs(epoch: string): string[] {
  return epoch.split(BETWEEN);
}

/** Whether a cell in both lists has another epoch in `after`. A cell that `before` lacks is new, and changes nothing. */
export function isAnotherEpoch(before: string, after: string): boolean {
  const known = splitEpochs(before);
  return splitEpochs(after).some((epoch, cell) => (known[cell] ?? epoch) !== epoch);
}
