import type { Costs } from './costs.ts';
import { tableOf } from './markdown.ts';
import { planForBurst, planForHour, SCENARIOS, simulate } from './simulate.ts';

const COLUMNS = [
  'scenario',
  'gateways',
  'messaging',
  'sockets of the fullest gateway',
  'fullest gateway busy',
  'messaging busy',
  'Postgres busy',
  'NATS busy',
  'longest wait',
  'whole again after',
];

/** The outcomes as a table in Markdown, aligned as Prettier does it. */
export function scaleTable(costs: Costs): string {
  const cases = [planForHour(costs), planForBurst(costs)].flatMap((sizes) =>
    SCENARIOS.map((scenario) => ({ sizes, scenario })),
  );
  const rows = cases.map(({ sizes, scenario }) => {
    const { fullestSockets, busy, longestWait, wholeAfter } = simulate(costs, sizes, scenario);
    return [
      scenario.name,
      String(sizes.gateways),
      String(sizes.messaging),
      Math.round(fullestSockets).toLocaleString('en'),
      ...[busy.gateway, busy.messaging, busy.postgres, busy.nats].map(percent),
      seconds(longestWait),
      seconds(wholeAfter),
    ];
  });
  return tableOf(COLUMNS, rows);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function seconds(value: number): string {
  return value < 0.1 ? 'none' : `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
}
