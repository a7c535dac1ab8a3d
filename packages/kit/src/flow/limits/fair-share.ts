/**
 * Number of free places that an application with `own` places may take: at most half of what the other applications leave, so that a
 * further application always finds some; at least one when it has none. Never negative, even when more places are taken than exist.
 */
export function fairShare(free: number, own: number): number {
  if (free <= 0) return 0;
  const share = Math.floor((free - own) / 2);
  return Math.max(share, own === 0 ? 1 : 0);
}
