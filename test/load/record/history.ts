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

type Column = { head: string; row: string; floor?: string; hasTimes?: true };

const REST_FLOOR = 'floor: node:http + batched insert';
const SOCKET_FLOOR = 'floor: ws echo';
const SINGLE_FLOOR = 'floor: ws echo + insert, one at a time';

const COLUMNS: readonly Column[] = [
  { head: 'http floor', row: REST_FLOOR },
  { head: 'echo floor', row: SOCKET_FLOOR },
  { head: 'single floor', row: SINGLE_FLOOR },
  { head: 'WebSocket, 200', row: 'WebSocket sends, 200 in flight', floor: SOCKET_FLOOR, hasTimes: true },
  { head: 'WebSocket, 50', row: 'WebSocket sends, 50 in flight', floor: SOCKET_FLOOR, hasTimes: true },
  { head: 'REST, 64', row: 'REST sends, 64 in flight', floor: REST_FLOOR, hasTimes: true },
  {
    head: 'one at a time',
    row: 'delivery latency, one at a time',
    floor: SINGLE_FLOOR,
    hasTimes: true,
  },
  { head: 'receipts, 200', row: 'read receipts, 200 in flight', floor: SOCKET_FLOOR },
  { head: 'fan-out to 100', row: 'fan-out to 100 members, deliveries', floor: SOCKET_FLOOR },
  { head: 'fan-out to 250', row: 'fan-out to 250 members, deliveries', floor: SOCKET_FLOOR },
  { head: 'fan-out to 1,000', row: 'fan-out to 1000 members, deliveries', floor: SOCKET_FLOOR },
];

/** The scenarios of `npm run bench` that give the figures of the history. */
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

/** Heads of the table of figures, and of the table of processor time by process. */
export const HISTORY_HEAD: readonly string[] = [
  'date',
  'commit',
  ...COLUMNS.map(({ head }) => head),
  'foreign',
];
export const PROCESSOR_HEAD: readonly string[] = ['date', 'commit', 'scenario', ...PROCESSES, 'switches'];

/** Cells of the run's line in the history: items a second, and in brackets the ratio to the floor of the same run. */
export function historyLine({ date, commit, rows }: Run): string[] {
  const foreign = rows.reduce((sum, row) => sum + (row.foreign ?? 0), 0) / rows.length;
  const figures = COLUMNS.map((column) => cellOf(rows, column));
  return [date, commit, ...figures, `${Math.round(foreign * 100)} %`];
}

/** Cells of the run's lines of processor time: microseconds an item by process, and context switches an item. */
export function processorLines({ date, commit, rows }: Run): string[][] {
  return COLUMNS.filter(({ floor }) => floor).flatMap(({ head, row }) => {
    const figures = rows.find(({ name }) => name === row);
    if (!figures) return [];
    const { cpu, switches = {} } = figures;
    const micros = PROCESSES.map((name) => microsOf(cpu, name).toFixed(0));
    return [[date, commit, head, ...micros, sumOfPlatform(switches).toFixed(1)]];
  });
}

/**
 * Appends lines to the table with this head in a Markdown document. Fails when there is no such table: cells may be padded.
 */
export function appendLines(
  markdown: string,
  head: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const wanted = head.join('|');
  const texts = markdown.split('\n');
  const start = texts.findIndex((text) => cellsOf(text).join('|') === wanted);
  if (start < 0) throw new Error(`the document has no table with the columns ${head.join(', ')}`);
  const end = texts.findIndex((text, index) => index > start && !text.startsWith('|'));
  const added = lines.map((cells) => `| ${cells.join(' | ')} |`);
  return texts.toSpliced(end < 0 ? texts.length : end, 0, ...added).join('\n');
}

function cellsOf(text: string): string[] {
  return text
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

// Empty for a figure that was not measured in this run.
function cellOf(rows: readonly Figures[], { row, floor, hasTimes }: Column): string {
  const rateOf = (name: string | undefined) => {
    const found = rows.find((figures) => figures.name === name);
    return found && found.count / found.seconds;
  };
  const [rate, base] = [rateOf(row), rateOf(floor)];
  if (rate === undefined) return '';
  const text = Math.round(rate).toLocaleString('en');
  if (!floor) return text;
  const ratio = base === undefined ? '' : ` (${(rate / base).toFixed(3)})`;
  const p50 = rows.find(({ name }) => name === row)?.p50 ?? 0;
  return `${text}${ratio}${hasTimes ? `, p50 ${p50.toFixed(1)} ms` : ''}`;
}

function microsOf(cpu: Readonly<Record<string, number>>, name: string): number {
  if (name === 'all') return sumOfPlatform(cpu);
  if (name !== 'others') return cpu[name] ?? 0;
  return Object.entries(cpu).reduce((sum, [of, used]) => (PROCESSES.includes(of) ? sum : sum + used), 0);
}
