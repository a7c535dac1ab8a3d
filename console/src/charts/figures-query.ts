import { queryOptions } from '@tanstack/react-query';
import { ADMIN } from '../api/admin.ts';
import { SPANS, type SpanName } from './charts.ts';

/** Figures that were counted in a span of time that ends now: of an application, or of the whole platform without an id. */
export function figuresQuery(appUuid: string, span: SpanName) {
  const { lengthMs, stepMs, refetchMs } = SPANS[span];
  return queryOptions({
    queryKey: ['figures', appUuid, span],
    queryFn: async () => {
      // The end is the platform's present, since the clock of this machine may differ.
      const times = { lengthInSeconds: lengthMs / 1_000, stepInSeconds: stepMs / 1_000 };
      return (await ADMIN.getFigures({ appUuid, ...times })).figures;
    },
    refetchInterval: refetchMs,
  });
}
