import { create } from '@parley/codec';
import {
  FiguresSchema,
  MinuteFiguresSchema,
  type MinuteFigures,
} from '@parley/proto/parley/identity/v1/figure_service_pb';
import type { DistinctHashes } from './distinct.ts';

/** Figures that grow by what is added to them. */
export const ADDED = [
  'messages',
  'scheduledMessages',
  'latenessMs',
  'socketDeliveries',
  'webhookDeliveries',
  'failedWebhookAttempts',
  'pushDeliveries',
  'failedPushAttempts',
  'requests',
  'limitedRequests',
  'failedRequests',
  'sockets',
] as const;
export type AddedFigure = (typeof ADDED)[number];
export type Counts = Record<AddedFigure | 'maxLatenessMs', number>;

/** The acts of one application in one minute, as far as they were not taken yet. */
export type AppMinute = { counts: Counts; users: DistinctHashes | undefined };

/** The applications of one minute, by id. `start`: milliseconds since the epoch. */
export type Minute = { start: number; apps: Map<string, AppMinute> };

export function openMinute(start: number): Minute {
  return { start, apps: new Map() };
}

export function appOf({ apps }: Minute, appId: string): AppMinute {
  let app = apps.get(appId);
  if (!app) apps.set(appId, (app = { counts: noCounts(), users: undefined }));
  return app;
}

function noCounts(): Counts {
  return {
    messages: 0,
    scheduledMessages: 0,
    latenessMs: 0,
    maxLatenessMs: 0,
    socketDeliveries: 0,
    webhookDeliveries: 0,
    failedWebhookAttempts: 0,
    pushDeliveries: 0,
    failedPushAttempts: 0,
    requests: 0,
    limitedRequests: 0,
    failedRequests: 0,
    sockets: 0,
  };
}

/** Takes what was counted since the last call; applications without news give nothing. */
export function takeNews({ start, apps }: Minute): MinuteFigures[] {
  const news: MinuteFigures[] = [];
  for (const [appId, app] of apps) {
    const { counts } = app;
    const userHashes = app.users?.takeFresh() ?? [];
    if (userHashes.length === 0 && Object.values(counts).every((count) => count === 0)) continue;
    app.counts = noCounts();
    const figures = create(FiguresSchema, Object.assign(counts, { start }));
    news.push(create(MinuteFiguresSchema, { appId, figures, userHashes }));
  }
  return news;
}
