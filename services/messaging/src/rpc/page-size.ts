/** A positive page size up to the largest; otherwise the largest. */
export function clampPageSize(pageSize: number, largest: number): number {
  return pageSize >= 1 ? Math.min(Math.floor(pageSize), largest) : largest;
}
