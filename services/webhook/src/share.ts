/** How much of what is free an application that has `own` may take, so that as much stays free as it has then. */
export function shareOf(free: number, own: number): number {
  const share = Math.floor((free - own) / 2);
  return Math.max(share, own === 0 ? Math.min(1, free) : 0);
}
