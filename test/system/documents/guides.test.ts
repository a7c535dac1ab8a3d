import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { findPython, freePort, testWith } from '@parley/testing';
import { faultsOf, needOf, readGuides, runnable, type Guide } from '../../support/guides/guide.ts';
import { pasteBlocks, type Outcome } from '../../support/guides/shell.ts';

const repository = path.resolve(import.meta.dirname, '..', '..', '..');
const guides = readGuides(path.join(repository, 'docs', 'guides'));
const folder = mkdtempSync(path.join(tmpdir(), 'parley-guides-'));
const dataDir = path.join(folder, 'data');
const tools = path.join(folder, 'tools');
const outcomes = new Map<string, Outcome[]>();
/** Guides that are pasted at once. Each uses conversations of its own. */
const AT_ONCE = 3;
/** Its packets are counted, and a name that another guide gives to a user would be one more. */
const ALONE = 'live-changes.md';
let running: Platform;

beforeAll(async () => {
  provideTools();
  running = await startPlatform({ dataDir, port: await freePort(), durable: false });
  await pasteGuides(guides.filter(({ name }) => name === ALONE));
  const waiting = guides.filter(({ name }) => name !== ALONE);
  await Promise.all(Array.from({ length: AT_ONCE }, () => pasteGuides(waiting)));
}, 240_000);
afterAll(async () => {
  await running?.discard();
  rmSync(folder, { recursive: true, force: true });
});

async function pasteGuides(waiting: Guide[]): Promise<void> {
  for (let guide = waiting.shift(); guide; guide = waiting.shift()) {
    const blocks = runnable(guide.blocks);
    outcomes.set(guide.name, await pasteBlocks({ blocks, folder: repository, env: environment() }));
  }
}

/** Provides programs that the guides' commands find before those of the machine: a Python that has the packages. */
function provideTools(): void {
  mkdirSync(tools);
  const python = findPython();
  if (python)
    writeFileSync(path.join(tools, 'python3'), `#!/bin/sh\nexec '${python}' "$@"\n`, { mode: 0o755 });
}

function environment(): NodeJS.ProcessEnv {
  const { admin_token, base_url } = running.state;
  return {
    ...process.env,
    PATH: `${tools}${path.delimiter}${process.env.PATH}`,
    TMPDIR: folder,
    // For the packages that a reader installs.
    NODE_PATH: path.join(repository, 'test', 'node_modules'),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ADMIN_TOKEN: admin_token,
    PARLEY_URL: base_url,
  };
}

function faults(guide: Guide, need: string | undefined): object[] {
  const ofGuide = outcomes.get(guide.name) ?? [];
  return ofGuide.filter(({ block }) => needOf(block) === need).flatMap((outcome) => faultsOf(guide, outcome));
}

test.each(guides)('every command of $name works when it is pasted, and answers as shown', (guide) => {
  expect(outcomes.get(guide.name)).not.toHaveLength(0);
  expect(faults(guide, undefined)).toEqual([]);
});

for (const guide of guides) {
  for (const need of new Set(guide.blocks.map(needOf))) {
    if (need)
      testWith(need, `the code for ${need} of ${guide.name} works`, () =>
        expect(faults(guide, need)).toEqual([]),
      );
  }
}
