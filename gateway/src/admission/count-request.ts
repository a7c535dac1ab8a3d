import type { Figures } from '@parley/usage/recorder';

/** Counts an answered request for the charts of the console. `appId` and `userId` are empty where there is none. */
export function countRequest(
  figures: Figures,
  { appId, userId, status }: { appId: string; userId: string; status: number },
): void {
  figures.add(appId, 'requests');
  if (status === 429) figures.add(appId, 'limitedRequests');
  if (status >= 500) figures.add(appId, 'failedRequests');
  if (userId !== '') figures.active(appId, userId);
}
