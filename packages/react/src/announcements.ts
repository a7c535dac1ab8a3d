import type { Announcement, List } from '@parley/client';
import { useMemo } from 'react';
import { usePages } from './messages.ts';
import { useClient } from './provider.ts';

/** A window on the announcements. */
export type AnnouncementList = List<Announcement> & {
  /**
   * Shows one page more. Fails with a `ParleyError` if the platform cannot be asked; `error` then says so too.
   */
  readonly loadOlder: () => Promise<void>;
};

/**
 * The announcements, the newest first: a window that begins with the newest page. `client.markAnnouncementRead` and
 * `client.deleteAnnouncement` change them.
 *
 * @param options `pageSize`: 1 to 100, by default 50.
 * @returns The announcements, whether there are older ones, and `loadOlder`.
 * @example
 * const { items } = useAnnouncements();
 * const unread = items.filter(({ is_unread }) => is_unread).length;
 */
export function useAnnouncements({ pageSize }: { pageSize?: number } = {}): AnnouncementList {
  const client = useClient();
  const query = useMemo(() => client?.announcements(pageSize ? { pageSize } : {}), [client, pageSize]);
  return usePages(query);
}
