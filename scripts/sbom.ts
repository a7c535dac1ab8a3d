// Writes the bill of materials of the image: `npm run generate -- sbom [--base-image <reference>] [--output <file>]`. The bundles, the console
// and the documentation are built before, and say which packages they hold.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from './build/console.ts';
import { REPOSITORY } from './build/paths.ts';
import { writeBom } from './sbom/bom.ts';
import { readContents } from './sbom/contents.ts';
import { unacceptable } from './licenses/allowed.ts';

const { values } = parseArgs({
  options: {
    'base-image': { type: 'string', default: defaultBaseImage() },
    output: { type: 'string', default: path.join(REPOSITORY, '.parley', 'sbom', 'parley.cdx.json') },
  },
});

await buildConsole();
const contents = readContents(values['base-image']);
const refused = unacceptable(Object.values(contents.bundles).flat());
for (const line of refused) process.stderr.write(`${line}\n`);
mkdirSync(path.dirname(values.output), { recursive: true });
writeFileSync(values.output, writeBom(contents));
process.stdout.write(`${values.output}\n`);
process.exit(refused.length === 0 ? 0 : 1);

/** The image on which the Dockerfile builds unless it is given another image. */
function defaultBaseImage(): string {
  const dockerfile = readFileSync(path.join(REPOSITORY, 'deploy', 'Dockerfile'), 'utf8');
  const found = /^ARG RUNTIME_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
  if (!found) throw new Error('deploy/Dockerfile names no RUNTIME_IMAGE.');
  return found;
}
