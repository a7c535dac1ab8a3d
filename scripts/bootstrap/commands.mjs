import { build, generate, install } from './steps.mjs';
import { buildSite } from './site.mjs';

const code = [install, generate];
const bundles = [install, generate, build];

/** The groups of commands: `npm run lab -- faults` runs `faults` of `lab`. */
const GROUPS = {
  // Campaigns and measurements: they take minutes to hours, and are no tests of a change.
  lab: {
    bench: { script: 'lab/load/main.ts', steps: bundles },
    soak: { script: 'lab/soak/main.ts', steps: bundles },
    faults: { script: 'lab/faults/main.ts', steps: bundles },
    fuzz: { script: 'lab/fuzz/main.ts', steps: bundles },
    model: { script: 'lab/model/main.ts', steps: bundles },
    drill: { script: 'lab/drill/main.ts', steps: bundles },
    cells: { script: 'lab/cells/main.ts', steps: bundles },
    upgrade: { script: 'lab/upgrade/main.ts', steps: bundles },
    users: { script: 'lab/users/main.ts', steps: bundles },
    scale: { script: 'lab/scale/main.ts', steps: [install] },
    comments: { script: 'lab/comments/main.ts', steps: [install] },
  },
  // Files generated from the sources.
  generate: {
    code: { steps: code },
    chat: { script: 'scripts/chat.ts', steps: code },
    console: { script: 'scripts/console.ts', steps: code },
    site: { steps: code, afterwards: buildSite },
    library: { script: 'scripts/library/main.ts', steps: [install, generate] },
    sbom: { script: 'scripts/sbom.ts', steps: [...bundles, buildSite] },
    baseline: { script: 'test/upgrade/baseline/main.ts', steps: bundles },
    release: { script: 'scripts/release.ts', steps: [install] },
  },
  check: {
    all: { script: 'scripts/check.ts', steps: code },
    audit: { script: 'scripts/audit.ts', steps: [install] },
    format: {
      script: 'node_modules/prettier/bin/prettier.cjs',
      args: ['--write', '--log-level', 'warn', '.'],
      steps: [install],
    },
  },
};

/** What a group does without a name. */
const DEFAULTS = { generate: 'code', check: 'all' };

const COMMANDS = {
  start: { script: 'packages/stack/src/start.ts', steps: bundles },
  test: { script: 'scripts/test.ts', steps: bundles },
  parley: { script: 'cli/dist/main.js', steps: bundles },
};

/**
 * The command that the words name, and the words that it gets: `lab faults --seed 7`, or without the group `faults --seed 7`. Throws
 * an error with the names that there are.
 */
export function findCommand([name = '', ...words]) {
  const group = ownOf(GROUPS, name);
  if (group) return findInGroup(name, group, words);
  const alone = [COMMANDS, ...Object.values(GROUPS)].map((some) => ownOf(some, name)).find(Boolean);
  if (alone) return withWords(alone, words);
  throw new Error(
    `Unknown command ${name}: there are ${[...Object.keys(COMMANDS), ...Object.keys(GROUPS)].join(', ')}.`,
  );
}

function findInGroup(groupName, group, [first, ...rest]) {
  const command = ownOf(group, first);
  if (command) return withWords(command, rest);
  const usual = ownOf(DEFAULTS, groupName);
  if (usual && first === undefined) return withWords(group[usual], []);
  throw new Error(
    `npm run ${groupName} -- <name>: there are ${Object.keys(group).join(', ')}${first === undefined ? '' : `, not ${first}`}.`,
  );
}

function withWords(command, words) {
  return { command, words: [...(command.args ?? []), ...words] };
}

function ownOf(table, name) {
  return Object.hasOwn(table, name ?? '') ? table[name] : undefined;
}
