import type { Figures } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { CHARTS, formatValue, hasFigures, scaleEnd, stepsOf, valueAt, type Chart } from './charts.ts';

const MINUTE_MS = 60_000;
const BEGIN = 1_800_000_000_000;

function figuresAt(start: number, counts: Partial<Figures> = {}): Figures {
  const none = {
    messages: 0,
    scheduledMessages: 0,
    latenessMs: 0,
    maxLatenessMs: 0,
    activeUsers: 0,
    sockets: 0,
  };
  const deliveries = { socketDeliveries: 0, webhookDeliveries: 0, pushDeliveries: 0 };
  const failures = { failedWebhookAttempts: 0, failedPushAttempts: 0, limitedRequests: 0, failedRequests: 0 };
  return { start, ...none, ...deliveries, ...failures, requests: 0, ...counts } as Figures;
}

function chartOf(title: string): Chart {
  return CHARTS.find((chart) => chart.title === title)!;
}

test('counts are shown by the minute, also of a step that is under way', () => {
  const chart = chartOf('Messages');
  const figures = [figuresAt(BEGIN, { messages: 50 }), figuresAt(BEGIN + 10 * MINUTE_MS, { messages: 6 })];
  const steps = stepsOf(figures, 'day', BEGIN + 12 * MINUTE_MS);
  expect(steps.map((step) => valueAt(chart, chart.series[0]!, step))).toEqual([5, 3]);
});

test('a step that has just begun is left out', () => {
  const figures = [figuresAt(BEGIN), figuresAt(BEGIN + MINUTE_MS)];
  expect(stepsOf(figures, 'hour', BEGIN + MINUTE_MS + 10_000)).toHaveLength(1);
  expect(stepsOf(figures, 'hour', BEGIN + MINUTE_MS + 30_000)).toHaveLength(2);
});

test('a clock that differs from the platform’s hides nothing', () => {
  const figures = [figuresAt(BEGIN), figuresAt(BEGIN + MINUTE_MS)];
  for (const now of [BEGIN - 3 * MINUTE_MS, BEGIN + 30 * MINUTE_MS])
    expect(stepsOf(figures, 'hour', now).map(({ minutes }) => minutes)).toEqual([1, 1]);
});

test('lateness is a mean over the messages of a step, in seconds', () => {
  const { series } = chartOf('Lateness');
  const late = figuresAt(BEGIN, { scheduledMessages: 4, latenessMs: 6_000, maxLatenessMs: 5_000 });
  expect(series.map(({ valueOf }) => valueOf(late))).toEqual([5, 1.5]);
  expect(series.map(({ valueOf }) => valueOf(figuresAt(BEGIN)))).toEqual([0, 0]);
});

test('requests alone are nothing that a chart shows', () => {
  expect(hasFigures([figuresAt(BEGIN, { requests: 9 })])).toBe(false);
  expect(hasFigures([figuresAt(BEGIN), figuresAt(BEGIN, { sockets: 1 })])).toBe(true);
});

test.each([
  [0, 1],
  [0.03, 0.05],
  [1, 1],
  [3, 5],
  [51, 100],
  [12_345, 20_000],
])('a scale for values up to %d ends at %d', (largest, end) => {
  expect(scaleEnd(largest)).toBeCloseTo(end, 10);
});

test.each([
  [0, '0'],
  [0.333, '0.33'],
  [7, '7'],
  [1_234.5, '1,235'],
  [1_234_567, '1.23M'],
])('%d is shown as %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});
