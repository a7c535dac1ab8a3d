/** A parameter of type jsonb: an object in which a statement looks values up by key. */
export function jsonByKey<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => [key: string, value: string | number],
): string {
  return JSON.stringify(Object.fromEntries(items.map(entryOf)));
}
