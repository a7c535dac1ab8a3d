/** The number of items that a page may have: the largest when none, or none that is positive, is asked for. */
export function clampPageSize(pageSize: number, largest: number): number {
  return pageSize >= 1 ? Math.min(Math.floor(pageSize), largest) : largest;
}
