import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ADMIN } from './admin.ts';
import { rest, type AppIds } from './rest.ts';

export const PAGE_SIZE = 100;

export const APPS = queryOptions({
  queryKey: ['apps'],
  queryFn: async () => (await ADMIN.listApps({})).apps,
});

export function appQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['apps', appUuid],
    queryFn: async () => {
      const { app } = await ADMIN.getApp({ appUuid });
      if (!app) throw new Error('The answer has no application.');
      return app;
    },
  });
}

export function statisticsQuery(appUuid = '') {
  return queryOptions({
    queryKey: ['statistics', appUuid],
    queryFn: () => ADMIN.getStatistics({ appUuid }),
    refetchInterval: 10_000,
  });
}

/** What was counted in a span of time that ends now, in milliseconds. */
export function figuresQuery(
  appUuid: string,
  name: string,
  { lengthMs, stepMs, refetchMs }: { lengthMs: number; stepMs: number; refetchMs: number },
) {
  return queryOptions({
    queryKey: ['figures', appUuid, name],
    queryFn: async () => {
      // The end is the platform's present, since the clock of this machine may differ.
      const span = { lengthInSeconds: lengthMs / 1_000, stepInSeconds: stepMs / 1_000 };
      return (await ADMIN.getFigures({ appUuid, ...span })).figures;
    },
    refetchInterval: refetchMs,
  });
}

/** A paged list of the server API. `path` may have parameters of its own. */
export function listQuery<T extends { id: string }>(app: AppIds, path: string, isOfWebhooks = false) {
  return infiniteQueryOptions({
    queryKey: ['rest', app.appUuid, path],
    queryFn: ({ pageParam }) => {
      const url = `${path}${path.includes('?') ? '&' : '?'}page_size=${PAGE_SIZE}`;
      const from = pageParam && `&from_id=${encodeURIComponent(pageParam)}`;
      return rest<T[]>(app, url + from, { isOfWebhooks });
    },
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.length < PAGE_SIZE ? undefined : data.at(-1)?.id),
  });
}

/** One record of the server API, or a list without pages. */
export function recordQuery<T>(app: AppIds, path: string, isOfWebhooks = false) {
  return queryOptions({
    queryKey: ['rest', app.appUuid, path],
    queryFn: async () => (await rest<T>(app, path, { isOfWebhooks })).data,
  });
}
