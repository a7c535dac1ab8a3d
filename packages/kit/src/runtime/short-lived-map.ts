/**
 * A map whose entries are deleted soon after they were set. An old `Map` keeps what its abandoned tables referred to until the whole heap
 * is collected; here that is only keys and empty cells, so keys should be small.
 * docs/decisions/foundation.md#short-lived-objects-stay-young
 */
export class ShortLivedMap<K, V> {
  readonly #cells = new Map<K, { value: V | undefined }>();

  get size(): number {
    return this.#cells.size;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#cells.set(key, { value });
  }

  /** Removes an entry and returns its value. */
  delete(key: K): V | undefined {
    const cell = this.#cells.get(key);
    if (cell === undefined) return undefined;
    const { value } = cell;
    cell.value = undefined;
    this.#cells.delete(key);
    return value;
  }

  /** Keys in the order in which they were set. */
  keys(): K[] {
    return [...this.#cells.keys()];
  }

  values(): V[] {
    return [...this.#cells.values()].map(({ value }) => value as V);
  }
}
