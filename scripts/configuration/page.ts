import { acceptedBy } from '../../packages/kit/src/runtime/config/env.ts';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';
import { format, resolveConfig } from 'prettier';

const INTRODUCTION = `# Configuration

Every process of the platform is configured by environment variables. An empty variable counts as absent. Each may stand in a file
instead, as secrets often do: \`PARLEY_RPC_SECRET_FILE=/run/secrets/rpc\` gives the path of the file that holds \`PARLEY_RPC_SECRET\`. A process
that finds a variable missing or wrong ends at once, with one line that names every such variable. Figures that limit what clients may do are
explained in [limits.md](limits.md). \`npm start\` and the manifests in \`deploy/\` set what has no default.

This page is written from the declarations in the processes' \`config.ts\`: \`UPDATE_DOCS=1 npm test -- scripts/configuration\`
writes it anew.
`;

const START = `## \`npm start\`

| variable | accepts | default | meaning |
| --- | --- | --- | --- |
| \`PARLEY_PORT\` | a port | 8080 | Port of the gateway. |
| \`PARLEY_DATA_DIR\` | a folder | \`.parley/local\` | Everything that the platform stores on a laptop. |
| \`PARLEY_WIRE_NAME\` | text | svc | As above. |
`;

/** The reference page of the configuration, from the settings of each process. */
export async function configurationPage(processes: ReadonlyMap<string, Settings>): Promise<string> {
  const sections = [...processes].map(([name, settings]) => section(name, settings));
  const text = [INTRODUCTION, ...sections, START].join('\n');
  return format(text, { ...(await resolveConfig('docs/configuration.md')), parser: 'markdown' });
}

function section(name: string, settings: Settings): string {
  const rows = listSettings(settings)
    .toSorted((one, other) => (one.variable < other.variable ? -1 : 1))
    .map(({ variable, validator, description }) => {
      const cells = [`\`${variable}\``, acceptedBy(validator), defaultOf(validator), description];
      return `| ${cells.join(' | ')} |`;
    });
  const title = name === 'gateway' ? 'gateway' : `${name} service`;
  return [
    `## The ${title}`,
    '',
    '| variable | accepts | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function defaultOf(validator: object): string {
  if (!('default' in validator)) return '**required**';
  const value = (validator as { default: unknown }).default;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return String(value);
}
