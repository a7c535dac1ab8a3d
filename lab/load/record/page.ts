import prettier from 'prettier';
import { lastRun } from './history.ts';

export const HISTORY = 'docs/performance/history.tsv';
export const PAGE = 'docs/performance.md';

/** The section with the last run, from its heading to the next one. */
const SECTION = /^## The last recorded run\n.*?(?=^## )/ms;

/** The page, with the last run of the history in its section. Fails when the page lacks the section. */
export async function withLastRun(page: string, history: string): Promise<string> {
  if (!SECTION.test(page)) throw new Error(`${PAGE} lacks the section “The last recorded run”`);
  const { date, commit, table } = lastRun(history);
  const section = `## The last recorded run\n\nOf ${date}, at ${commit}.\n\n${table}\n\n`;
  const config = await prettier.resolveConfig(PAGE);
  return prettier.format(page.replace(SECTION, section), { ...config, filepath: PAGE });
}
