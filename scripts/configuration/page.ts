import { acceptedBy } from '../../packages/kit/src/runtime/config/env.ts';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';
import { format, resolveConfig } from 'prettier';

const INTRODUCTION = `# Configuration

Every process is configured by environment variables; an empty one counts as absent. Each may stand in a file instead:
\`PARLEY_RPC_SECRET_FILE=/run/secrets/rpc\` names the file that holds \`PARLEY_RPC_SECRET\`. A process that finds a variable missing or
wrong ends at once, with one line that names every such variable. [limits.md](limits.md) explains limits of clients. \`npm start\` and the
manifests in \`deploy/\` set what has no default.

\`1–5\` is a whole number in that range, \`secret\` a text of at least 16 characters, \`list\` items separated by commas, \`addresses\`
\`host:port\`, a list of such, or \`dns:///name:port\`.

This page is written from the declarations in the processes' \`config.ts\`: \`UPDATE_DOCS=1 npm test -- scripts/configuration\`.
`;

const START = `## \`npm start\`

- \`PARLEY_PORT\` (port, default 8080): Port of the gateway.
- \`PARLEY_DATA_DIR\` (folder, default \`.parley/local\`): Everything that the platform stores on a laptop.
- \`PARLEY_WIRE_NAME\` (text, default svc): As above.
`;

/** Those that are no services. */
const TITLES: Readonly<Record<string, string>> = {
  gateway: 'The gateway',
  'console-server': "The console's server apart",
};

/** The names of some processes, shorter where they are all services, or all but one process. */
function groupOf(some: string[], all: readonly string[]): string[] {
  const missing = all.filter((name) => !some.includes(name));
  if (missing.length === 1) return [`all but ${missing[0]}`];
  return some.join() === all.filter((name) => !(name in TITLES)).join() ? ['services'] : some;
}

/** A variable as processes read it, and the processes that agree in it. */
type Entry = {
  processes: string[];
  variable: string;
  accepts: string;
  fallback: string;
  description: string;
};

/** The reference page of the configuration, from the settings of each process: first what several of them read. */
export async function configurationPage(processes: ReadonlyMap<string, Settings>): Promise<string> {
  const entries = entriesOf(processes);
  const shared = entries.filter((entry) => entry.processes.length > 1);
  const own = [...processes.keys()].map((name) =>
    section(
      TITLES[name] ?? `The ${name} service`,
      entries.filter((entry) => entry.processes.join() === name),
    ),
  );
  const everywhere = shared.filter((entry) => entry.processes.length === processes.size);
  const some = shared
    .filter((entry) => entry.processes.length < processes.size)
    .map((entry) => ({ ...entry, processes: groupOf(entry.processes, [...processes.keys()]) }));
  const text = [
    INTRODUCTION,
    section('All processes', everywhere),
    section('Several processes', some),
    ...own,
    START,
  ].join('\n');
  return format(text, { ...(await resolveConfig('docs/configuration.md')), parser: 'markdown' });
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

function section(title: string, entries: readonly Entry[]): string {
  const items = entries.map(({ processes, variable, accepts, fallback, description }) => {
    const names = title === 'Several processes' ? `${processes.join(', ')}; ` : '';
    return `- \`${variable}\` (${names}${accepts}${fallback}): ${description}`;
  });
  return [`## ${title}`, '', ...items, ''].join('\n');
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
  if (!('default' in validator)) return ', required';
  const value = (validator as { default: unknown }).default;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  const text = String(value);
  return `, default ${text.includes('*') ? `\`${text}\`` : text}`;
}
