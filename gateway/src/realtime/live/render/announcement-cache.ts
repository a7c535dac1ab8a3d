import type { Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { detach } from '@parley/kit/runtime/request-context';
import type { Announcement } from '@parley/proto/parley/announcement/v1/announcement_pb';
import type { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';

/** Caches announcements, so that one with many recipients at this gateway is fetched once. */
export type AnnouncementCache = {
  /** Undefined when the announcement has been deleted. */
  get(appId: string, id: string): Promise<Announcement | undefined>;
};

const MAX_CACHED = 100;
/** The sender's name may be outdated by this long. Milliseconds. */
const KEPT_MS = 500;

export function createAnnouncementCache(client: Client<typeof AnnouncementService>): AnnouncementCache {
  const runDetached = detach();
  const asked = new LRUCache<string, Promise<Announcement | undefined>>({ max: MAX_CACHED, ttl: KEPT_MS });

  async function fetch(appId: string, id: string): Promise<Announcement | undefined> {
    return (await client.getAnnouncement({ appId, id })).announcement;
  }

  return {
    get(appId, id) {
      const key = `${appId}/${id}`;
      const known = asked.get(key);
      if (known) return known;
      const fetched = runDetached(() => fetch(appId, id));
      asked.set(key, fetched);
      fetched.catch(() => asked.delete(key));
      return fetched;
    },
  };
}
