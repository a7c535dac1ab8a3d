import type { Client } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import type {
  ListFollowingResponse,
  RelationService,
} from '@parley/proto/parley/identity/v1/relation_service_pb';

type Relations = Client<typeof RelationService>;
type Owner = { appId: string; userId: string };
export type FollowedList = { userIds: string[]; stamp: string };

const PAGE = limits.followingPage;

/**
 * The users whom a user follows, and the stamp of that list; undefined when the list has not changed since `knownStamp`. The stamp is empty
 * if the list changed while its pages were read, so that it is read again.
 */
export async function listFollowed(
  relations: Relations,
  owner: Owner,
  knownStamp = '',
): Promise<FollowedList | undefined> {
  const userIds: string[] = [];
  const stamps = new Set<string>();
  for await (const page of readFollowed(relations, owner, knownStamp)) {
    if (page.unchanged) return undefined;
    userIds.push(...page.userIds);
    stamps.add(page.stamp);
  }
  const [stamp = ''] = stamps;
  return { userIds, stamp: stamps.size === 1 ? stamp : '' };
}

/** Reads the followed users page by page; each page is fetched when the previous one has been used. */
export async function* readFollowed(
  relations: Relations,
  { appId, userId: ownerUserId }: Owner,
  knownStamp = '',
): AsyncGenerator<ListFollowingResponse> {
  let page = await relations.listFollowing({ appId, ownerUserId, pageSize: PAGE, knownStamp });
  yield page;
  while (page.userIds.length === PAGE) {
    const fromId = page.userIds.at(-1) ?? '';
    page = await relations.listFollowing({ appId, ownerUserId, pageSize: PAGE, fromId });
    yield page;
  }
}
