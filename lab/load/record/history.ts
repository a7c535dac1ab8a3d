import type { Figures } from '../stats.ts';
import { sumOfPlatform } from '../usage.ts';

/** One run of the benchmark whose figures are kept. */
export type Run = {
  /** YYYY-MM-DD. */
  date: string;
  /** Short id of the commit, with `+` behind it when the processes' code differs from it. */
  commit: string;
  rows: readonly Figures[];
};

type Scenario = { name: string; row: string; floor?: string; hasTimes?: true };

const REST_FLOOR = 'floor: node:http + batched insert';
const SOCKET_FLOOR = 'floor: ws echo';
const SINGLE_FLOOR = 'floor: ws echo + insert, one at a time';

const KEPT: readonly Scenario[] = [
  { name: 'http floor', row: REST_FLOOR },
  { name: 'echo floor', row: SOCKET_FLOOR },
  { name: 'single floor', row: SINGLE_FLOOR },
  { name: 'WebSocket, 200', row: 'WebSocket sends, 200 in flight', floor: SOCKET_FLOOR, hasTimes: true },
  { name: 'WebSocket, 50', row: 'WebSocket sends, 50 in flight', floor: SOCKET_FLOOR, hasTimes: true },
  { name: 'REST, 64', row: 'REST sends, 64 in flight', floor: REST_FLOOR, hasTimes: true },
  { name: 'one at a time', row: 'delivery latency, one at a time', floor: SINGLE_FLOOR, hasTimes: true },
  { name: 'receipts, 200', row: 'read receipts, 200 in flight', floor: SOCKET_FLOOR },
  { name: 'fan-out to 100', row: 'fan-out to 100 members, deliveries', floor: SOCKET_FLOOR },
  { name: 'fan-out to 250', row: 'fan-out to 250 members, deliveries', floor: SOCKET_FLOOR },
  { name: 'fan-out to 1,000', row: 'fan-out to 1000 members, deliveries', floor: SOCKET_FLOOR },
];

/** The scenarios of `npm run lab -- bench` that give the figures of the history. */
export const RECORDED: readonly string[] = [
  'rest-floor',
  'socket-floor',
  'rest',
  'socket',
  'latency',
  'receipts',
  'fan-out-100',
  'fan-out-250',
  'fan-out-1000',
];

const PROCESSES = [
  'gateway',
  'messaging',
  'postgres',
  'nats',
  'webhook',
  'export',
  'others',
  'all',
  'client',
];

/** Columns of the history, which is tab-separated text with a line for each scenario of a run. */
export const COLUMNS: readonly string[] = [
  'date',
  'commit',
  'scenario',
  'per second',
  'ratio to floor',
  'p50 ms',
  ...PROCESSES.map((name) => `${name} µs`),
  'switches',
  'foreign %',
];

/** Lines of a run for the history, without a line break at the end of the last. Empty for what was not measured. */
export function historyLines({ date, commit, rows }: Run): string[] {
  const foreign = rows.reduce((sum, row) => sum + (row.foreign ?? 0), 0) / rows.length;
  return KEPT.flatMap((scenario) => {
    const cells = cellsOf(rows, scenario);
    return cells
      ? [[date, commit, scenario.name, ...cells, Math.round(foreign * 100).toFixed(0)].join('\t')]
      : [];
  });
}

const SHOWN = ['scenario', 'per second', 'ratio to floor', 'p50 ms', 'all µs'];

/** The last run of a history as a table in Markdown, for Prettier to lay out. */
export function lastRun(history: string): { date: string; commit: string; table: string } {
  const [head = [], ...lines] = history
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const [date = '', commit = ''] = lines.at(-1) ?? [];
  const shown = SHOWN.map((name) => head.indexOf(name));
  const rows = lines
    .filter((cells) => cells[0] === date && cells[1] === commit)
    .map((cells) => `| ${shown.map((index) => cells[index] ?? '').join(' | ')} |`);
  const table = [`| ${SHOWN.join(' | ')} |`, `|${' --- |'.repeat(SHOWN.length)}`, ...rows].join('\n');
  return { date, commit, table };
}

// Without a floor a scenario is a floor itself, of which the rate alone is kept.
function cellsOf(rows: readonly Figures[], { row, floor, hasTimes }: Scenario): string[] | undefined {
  const figures = rows.find(({ name }) => name === row);
  if (!figures) return undefined;
  const rate = figures.count / figures.seconds;
  const none = PROCESSES.map(() => '');
  if (!floor) return [rate.toFixed(0), '', '', ...none, ''];
  const base = rows.find(({ name }) => name === floor);
  const ratio = base ? (rate / (base.count / base.seconds)).toFixed(3) : '';
  const micros = PROCESSES.map((name) => microsOf(figures.cpu, name).toFixed(0));
  const switches = sumOfPlatform(figures.switches ?? {}).toFixed(1);
  return [rate.toFixed(0), ratio, hasTimes ? figures.p50.toFixed(1) : '', ...micros, switches];
}

function microsOf(cpu: Readonly<Record<string, number>>, name: string): number {
  if (name === 'all') return sumOfPlatform(cpu);
  if (name !== 'others') return cpu[name] ?? 0;
  return Object.entries(cpu).reduce((sum, [of, used]) => (PROCESSES.includes(of) ? sum : sum + used), 0);
}
