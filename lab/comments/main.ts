// `npm run lab -- comments [--count 200 --seed 7]`: lines of comments at random, for somebody who does not know the code. At most 5 % of
// them may need a second reading. CONTRIBUTING.md#style
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '@parley/stack/config';
import { commentLines, sample } from './sample.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed))
  throw new Error('--count and --seed are whole numbers');

const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
});
const lines = listed
  .split('\n')
  .filter((file) => file !== '' && !/\/(?:gen|fixture)\//.test(file))
  .flatMap((file) => commentLines(file, readFileSync(path.join(REPOSITORY, file), 'utf8')));
for (const { file, line, text } of sample(lines, count, seed))
  process.stdout.write(`${file}:${line}: ${text}\n`);
