import type { AddedFigure } from '@parley/usage/minute';
import { FIGURE_COLUMNS, type FigureColumn } from '../sql/figure.ts';

type FigureName = AddedFigure | 'maxLatenessMs';

/** Each column with the name of its field in messages. */
export const NAMES_OF_COLUMNS: Readonly<Record<FigureColumn, FigureName>> = {
  messages: 'messages',
  scheduled_messages: 'scheduledMessages',
  lateness_ms: 'latenessMs',
  max_lateness_ms: 'maxLatenessMs',
  socket_deliveries: 'socketDeliveries',
  webhook_deliveries: 'webhookDeliveries',
  failed_webhook_attempts: 'failedWebhookAttempts',
  push_deliveries: 'pushDeliveries',
  failed_push_attempts: 'failedPushAttempts',
  requests: 'requests',
  limited_requests: 'limitedRequests',
  failed_requests: 'failedRequests',
  sockets: 'sockets',
};

/** A value for each column. */
export function columnsOf(valueOf: (column: FigureColumn) => number): Record<FigureColumn, number> {
  return Object.fromEntries(FIGURE_COLUMNS.map((column) => [column, valueOf(column)])) as Record<
    FigureColumn,
    number
  >;
}

/** A value for each field. */
export function figuresOf(columns: Record<FigureColumn, number>): Record<FigureName, number> {
  return Object.fromEntries(
    FIGURE_COLUMNS.map((column) => [NAMES_OF_COLUMNS[column], columns[column]]),
  ) as Record<FigureName, number>;
}
