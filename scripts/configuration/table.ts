import { acceptedBy } from '../../packages/kit/src/runtime/config/env.ts';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';

const TITLES = ['processes', 'variable', 'values', 'default', 'says'];
const START = [
  ['npm start', '`PARLEY_PORT`', 'port', '8080', 'Port of the gateway.'],
  [
    'npm start',
    '`PARLEY_DATA_DIR`',
    'folder',
    '`.parley/local`',
    'Everything that the platform stores on a laptop.',
  ],
];

/** A variable as processes read it, and the processes that agree in it. */
type Entry = {
  processes: string[];
  variable: string;
  accepts: string;
  fallback: string;
  description: string;
};

/** The table of all variables, with tabs between cells, from the settings of each process: first what all of them read, then what several do. */
export function configurationTable(processes: ReadonlyMap<string, Settings>): string {
  const all = [...processes.keys()];
  const rank = ({ processes: { length } }: Entry): number =>
    length === 1 ? 2 : length === processes.size ? 0 : 1;
  const place = (entry: Entry): number => (rank(entry) < 2 ? 0 : all.indexOf(entry.processes[0] ?? ''));
  const rows = entriesOf(processes)
    .toSorted((one, other) => rank(one) - rank(other) || place(one) - place(other))
    .map((entry) => [
      namesOf(entry.processes, all),
      `\`${entry.variable}\``,
      entry.accepts,
      entry.fallback,
      entry.description,
    ]);
  return [TITLES, ...rows, ...START].map((cells) => `${cells.join('\t')}\n`).join('');
}

/** Processes that are no services. */
const OTHERS: ReadonlySet<string> = new Set(['gateway', 'console-server']);

/** Names of processes, shorter where they are all, all but one, or all services. */
function namesOf(some: readonly string[], all: readonly string[]): string {
  const missing = all.filter((name) => !some.includes(name));
  if (missing.length === 0) return 'all';
  if (missing.length === 1) return `all but ${missing[0]}`;
  return some.join() === all.filter((name) => !OTHERS.has(name)).join() ? 'services' : some.join(', ');
}

function entriesOf(processes: ReadonlyMap<string, Settings>): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [name, settings] of processes) {
    for (const { variable, validator, description } of listSettings(settings)) {
      const [accepts, fallback] = [shortened(acceptedBy(validator)), defaultOf(validator)];
      const key = [variable, accepts, fallback, description].join('|');
      const entry = entries.get(key) ?? { processes: [], variable, accepts, fallback, description };
      entry.processes.push(name);
      entries.set(key, entry);
    }
  }
  return [...entries.values()].toSorted((one, other) => (one.variable < other.variable ? -1 : 1));
}

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^a comma separated list, each a /, 'list: '],
  [/^a comma separated list, each an? /, 'list: '],
  [/^a comma separated list, each /, 'list: '],
  [/secret of at least 16 characters/, 'secret'],
  [/^a secret$/, 'secret'],
  [/^a (?:whole )?number, (\S+) to (\S+)$/, '$1–$2'],
  [/^a whole number, (\S+) or more$/, '≥$1'],
  [/^`host:port`, .*$/, 'addresses'],
  [/^an address with a scheme$/, 'URL'],
  [/^true or false$/, 'boolean'],
];

/** The accepted values of a variable, in the words that the introduction explains. */
function shortened(accepted: string): string {
  return SHORT.reduce((text, [pattern, short]) => text.replace(pattern, short), accepted);
}

function defaultOf(validator: object): string {
  if (!('default' in validator)) return 'required';
  const value = (validator as { default: unknown }).default;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  const text = String(value);
  return text.includes('*') ? `\`${text}\`` : text;
}
