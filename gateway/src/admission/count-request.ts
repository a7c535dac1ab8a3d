import type { Figures } from '@parley/usage/recorder';

/** Counts an answered request for the console's charts. `appId` and `userId` are empty if the request has none. */
export function countRequest(
  figures: Figures,
  { appId, userId, status }: { appId: string; userId: string; status: number },
): void {
  figures.add(appId, 'requests');
  if (status === 429) figures.add(appId, 'limitedRequests');
  if (status >= 500) figures.add(appId, 'failedRequests');
  if (userId !== '') figures.active(appId, userId);
}
