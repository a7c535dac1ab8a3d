import type { Figures } from '@parley/proto/parley/identity/v1/figure_service_pb';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A step that has lasted for less says too little to be drawn. */
const SHORTEST_MS = 20 * SECOND_MS;

export type SpanName = 'hour' | 'day';

/** How far a chart reaches, in which steps, and how often it is read again. */
export const SPANS: Readonly<Record<SpanName, { lengthMs: number; stepMs: number; refetchMs: number }>> = {
  hour: { lengthMs: HOUR_MS, stepMs: MINUTE_MS, refetchMs: 5 * SECOND_MS },
  day: { lengthMs: 24 * HOUR_MS, stepMs: 10 * MINUTE_MS, refetchMs: MINUTE_MS },
};

/** `rate`: a count, shown by the minute. `level`: what was so at a moment or in the whole step. */
type Kind = 'rate' | 'level';
type Unit = '' | 's';

/** `header`: its name where the chart's title is not beside it. */
export type Series = { name: string; header?: string; valueOf: (figures: Figures) => number };

export type Chart = { title: string; about: string; kind: Kind; unit: Unit; series: readonly Series[] };

function meanLateness({ latenessMs, scheduledMessages }: Figures): number {
  return scheduledMessages === 0 ? 0 : latenessMs / scheduledMessages / SECOND_MS;
}

export const CHARTS: readonly Chart[] = [
  {
    title: 'Messages',
    about: 'stored, by the minute',
    kind: 'rate',
    unit: '',
    series: [{ name: 'Messages', valueOf: ({ messages }) => messages }],
  },
  {
    title: 'Deliveries',
    about: 'by the minute',
    kind: 'rate',
    unit: '',
    series: [
      {
        name: 'To sockets',
        header: 'Delivered to sockets',
        valueOf: ({ socketDeliveries }) => socketDeliveries,
      },
      {
        name: 'To webhooks',
        header: 'Delivered to webhooks',
        valueOf: ({ webhookDeliveries }) => webhookDeliveries,
      },
      { name: 'Pushes', valueOf: ({ pushDeliveries }) => pushDeliveries },
    ],
  },
  {
    title: 'Open sockets',
    about: 'at the beginning of a minute',
    kind: 'level',
    unit: '',
    series: [{ name: 'Open sockets', valueOf: ({ sockets }) => sockets }],
  },
  {
    title: 'Active users',
    about: 'with a request or a socket, each counted once',
    kind: 'level',
    unit: '',
    series: [{ name: 'Active users', valueOf: ({ activeUsers }) => activeUsers }],
  },
  {
    title: 'Failures',
    about: 'by the minute',
    kind: 'rate',
    unit: '',
    series: [
      { name: 'Failed requests', valueOf: ({ failedRequests }) => failedRequests },
      { name: 'Refused by a limit', valueOf: ({ limitedRequests }) => limitedRequests },
      {
        name: 'Webhook attempts',
        header: 'Failed webhook attempts',
        valueOf: ({ failedWebhookAttempts }) => failedWebhookAttempts,
      },
      {
        name: 'Push attempts',
        header: 'Failed push attempts',
        valueOf: ({ failedPushAttempts }) => failedPushAttempts,
      },
    ],
  },
  {
    title: 'Lateness',
    about: 'of scheduled messages, in seconds',
    kind: 'level',
    unit: 's',
    series: [
      { name: 'Most', header: 'Most lateness', valueOf: ({ maxLatenessMs }) => maxLatenessMs / SECOND_MS },
      { name: 'Mean', header: 'Mean lateness', valueOf: meanLateness },
    ],
  },
];

/** A step of a span: `minutes` is how long it has lasted. */
export type Step = { figures: Figures; minutes: number };

/** The steps to be drawn; the last one is under way, and left out while it is young. `now`: milliseconds since 1970. */
export function stepsOf(figures: readonly Figures[], span: SpanName, now: number): Step[] {
  const { stepMs } = SPANS[span];
  return figures.flatMap((step, index) => {
    const elapsed = now - step.start;
    // The clock of this machine may differ from that of the platform.
    const isRunning = index === figures.length - 1 && elapsed >= 0 && elapsed < stepMs;
    if (isRunning && elapsed < SHORTEST_MS) return [];
    return [{ figures: step, minutes: (isRunning ? elapsed : stepMs) / MINUTE_MS }];
  });
}

/** The value of a series in a step. */
export function valueAt({ kind }: Chart, { valueOf }: Series, { figures, minutes }: Step): number {
  return kind === 'rate' ? valueOf(figures) / minutes : valueOf(figures);
}

export function hasFigures(figures: readonly Figures[]): boolean {
  return figures.some((step) => CHARTS.some(({ series }) => series.some(({ valueOf }) => valueOf(step) > 0)));
}

/** The end of a scale that begins at 0: 1, 2 or 5 times a power of ten, and no less than the largest value. */
export function scaleEnd(largest: number): number {
  if (!(largest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= largest) ?? 10 * power;
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const LARGE = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

export function formatValue(value: number, unit: Unit = ''): string {
  const text = (value >= 10_000 ? LARGE : value >= 10 ? WHOLE : SMALL).format(value);
  return unit === '' ? text : `${text} ${unit}`;
}

const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export function formatTime(time: number): string {
  return CLOCK.format(time);
}
