import type { Client } from '@connectrpc/connect';
import { limits } from '@parley/domain/limits';
import type { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';

type Owner = { appId: string; userId: string };
export type FollowedList = { userIds: string[]; stamp: string };

/**
 * Everybody whom a user follows, and the stamp that the list bears; undefined when it is as it was at `knownStamp`. A list
 * that changed while its pages were read bears no stamp, so that it is read again the next time.
 */
export async function listFollowed(
  relations: Client<typeof RelationService>,
  { appId, userId: ownerUserId }: Owner,
  knownStamp = '',
): Promise<FollowedList | undefined> {
  const pageSize = limits.followingPage;
  const first = await relations.listFollowing({ appId, ownerUserId, pageSize, knownStamp });
  if (first.unchanged) return undefined;
  const userIds = first.userIds;
  let { stamp } = first;
  for (let page = first; page.userIds.length === pageSize;) {
    const fromId = page.userIds.at(-1) ?? '';
    page = await relations.listFollowing({ appId, ownerUserId, pageSize, fromId });
    userIds.push(...page.userIds);
    if (page.stamp !== first.stamp) stamp = '';
  }
  return { userIds, stamp };
}
