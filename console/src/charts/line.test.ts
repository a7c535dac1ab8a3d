import { areaOf, describeChart, linesOf, pathOf, xOf } from './line.ts';
import type { Chart, Step } from './charts.ts';

const AT = Date.UTC(2026, 10, 27, 12);
const CHART: Chart = {
  title: 'Messages',
  about: 'stored',
  kind: 'rate',
  unit: '',
  series: [{ name: 'All', valueOf: ({ messages }) => messages }],
};

function stepsOf(...messages: number[]): Step[] {
  return messages.map((count, index) => {
    const figures = { start: AT + index * 60_000, messages: count } as Step['figures'];
    return { figures, minutes: 1 };
  });
}

test('a line goes from the left to the right, and its largest value to the top', () => {
  expect(pathOf([0, 5, 10], 10)).toBe('M0.00,100.00L50.00,50.00L100.00,0.00');
});

test('the area below a line is closed along the bottom', () => {
  expect(areaOf([10, 0], 10)).toBe('M0.00,0.00L100.00,100.00L100,100L0,100Z');
});

test('nothing is drawn of no values, and one value is at the right', () => {
  expect([pathOf([], 1), areaOf([], 1)]).toEqual(['', '']);
  expect(xOf(0, 1)).toBe(100);
});

test('a chart says its largest and its last value', () => {
  const steps = stepsOf(3, 12, 7);
  const text = describeChart(CHART, linesOf(CHART, steps), steps);
  expect(text).toMatch(/^Messages, stored, from \d\d:00 to \d\d:02\. All: at most 12, at the end 7\. /);
});
