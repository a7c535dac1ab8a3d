import { queryOptions } from '@tanstack/react-query';
import { ADMIN } from './admin.ts';
import { APPS_KEY, STATISTICS_KEY } from './query-keys.ts';

export const APPS = queryOptions({
  queryKey: APPS_KEY,
  queryFn: async () => (await ADMIN.listApps({})).apps,
});

export function appQuery(appUuid: string) {
  return queryOptions({
    queryKey: [...APPS_KEY, appUuid],
    queryFn: async () => {
      const { app } = await ADMIN.getApp({ appUuid });
      if (!app) throw new Error('The answer has no application.');
      return app;
    },
  });
}

/** The numbers of an application, or of all without an id. */
export function statisticsQuery(appUuid = '') {
  return queryOptions({
    queryKey: [...STATISTICS_KEY, appUuid],
    queryFn: () => ADMIN.getStatistics({ appUuid }),
    refetchInterval: 10_000,
  });
}
