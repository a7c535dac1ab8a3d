/** Options of the benchmark's command line. */
export type Options = {
  /** Names of scenarios, each once; empty: all that run by default. */
  scenarios: string[];
  /** Whether to take profiles of all processes. */
  profile: boolean;
  /** Whether to show the stages of every scenario. */
  stages: boolean;
  /** Whether to append the figures to docs/performance/history.tsv. */
  record: boolean;
};

/** Known names, and names of groups with the scenarios that each stands for. */
export type Names = { scenarios: readonly string[]; groups: Readonly<Record<string, readonly string[]>> };

const FLAGS = ['--profile', '--stages', '--record'];

/** Fails with one line that names what is unknown. */
export function parseArguments(given: readonly string[], { scenarios, groups }: Names): Options {
  const words = given.filter((word) => word !== '--');
  const flags = words.filter((word) => word.startsWith('--'));
  const chosen = words.filter((word) => !word.startsWith('--')).flatMap((name) => groups[name] ?? [name]);
  const unknownFlag = flags.find((flag) => !FLAGS.includes(flag));
  if (unknownFlag) throw new Error(`no option ${unknownFlag}; there are ${FLAGS.join(', ')}`);
  const unknown = chosen.filter((name) => !scenarios.includes(name));
  if (unknown.length > 0) {
    const known = [...Object.keys(groups), ...scenarios].join(', ');
    throw new Error(`no scenario ${unknown.join(', ')}; there are ${known}`);
  }
  return {
    scenarios: [...new Set(chosen)],
    profile: flags.includes('--profile'),
    stages: flags.includes('--stages'),
    record: flags.includes('--record'),
  };
}
