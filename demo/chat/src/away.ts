/** What is known of the unread messages since the connection was lost. */
export type Away = {
  /** Number of messages that came, apart from `mostUnread - leastUnread`. */
  readonly came: number;
  readonly leastUnread: number;
  /** Of the time since `leastUnread` was reached. */
  readonly mostUnread: number;
};

/** The connection is lost while so many messages are unread. */
export function goAway(unread: number): Away {
  return { came: 0, leastUnread: unread, mostUnread: unread };
}

/**
 * So many messages are unread now. What was unread when the connection was lost may be read only afterwards, and what comes onto the screen
 * is read at once, perhaps before the connection is back: so the number may fall at any time.
 */
export function noteUnread(away: Away, unread: number): Away {
  if (unread < away.leastUnread) return { ...goAway(unread), came: countCame(away) };
  return unread > away.mostUnread ? { ...away, mostUnread: unread } : away;
}

/** How many messages came, at least: one that is read before the next one comes is not told from it. */
export function countCame({ came, leastUnread, mostUnread }: Away): number {
  return came + mostUnread - leastUnread;
}
