/**
 * How many of the free places an application with `own` places may take: at most half of what the other applications
 * leave, so that a further application always finds some; at least one when it has none.
 */
export function fairShare(free: number, own: number): number {
  const share = Math.floor((free - own) / 2);
  return Math.max(share, own === 0 ? Math.min(1, free) : 0);
}
