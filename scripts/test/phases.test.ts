import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-phases-'));
const journal = path.join(folder, 'journal');
const NAMES = ['a', 'b', 'c.alone', 'd.alone'];

beforeAll(() => {
  for (const name of NAMES) {
    const line = `\`${name} \${process.pid}\\n\``;
    const text = `
      const { appendFileSync } = await import('node:fs');
      test('writes', () => appendFileSync(${JSON.stringify(journal)}, ${line}));`;
    writeFileSync(path.join(folder, `${name}.test.ts`), text);
  }
});

beforeEach(() => writeFileSync(journal, ''));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Options that Jest does not know. */
function isOwn(arg: string): boolean {
  return arg.startsWith('--');
}

/** Runs those files that the arguments name. Resolves with the lines of the output, and the files in their order. */
function runTests(...args: string[]) {
  const { PARLEY_TEST_FOLDER: _folder, JEST_WORKER_ID: _id, ...inherited } = process.env;
  const env = { ...inherited, PARLEY_TEST_S3: '', PARLEY_TEST_CONTAINERS: '' };
  const { stdout, status } = spawnSync(
    process.execPath,
    ['scripts/test.ts', ...args.filter(isOwn), '--roots', folder, '--', ...args.filter((arg) => !isOwn(arg))],
    {
      cwd: repository,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ran = readFileSync(journal, 'utf8').trim().split('\n');
  return {
    status,
    lines: stdout.trimEnd().split('\n'),
    files: ran.map((line) => line.split(' ')[0]),
    processes: ran.map((line) => line.split(' ')[1]),
  };
}

test('tests that run alone follow all others, one file after the other in one process', () => {
  const { status, lines, files, processes } = runTests('--times');
  expect(files.slice(0, 2).sort()).toEqual(['a', 'b']);
  expect(files.slice(2).sort()).toEqual(['c.alone', 'd.alone']);
  expect(processes[2]).toBe(processes[3]);
  const times = lines.slice(0, -1).map((line) => Number(/^ *(\d+\.\d) s {2}\S+\.test\.ts$/.exec(line)?.[1]));
  expect(times).toHaveLength(4);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(lines.at(-1)).toBe('4 passed, 0 failed');
  expect(status).toBe(0);
}, 60_000);

test('a file that runs alone can be run by itself', () => {
  const { status, lines, files } = runTests('/c.alone.test');
  expect(files).toEqual(['c.alone']);
  expect(lines).toEqual(['1 passed, 0 failed']);
  expect(status).toBe(0);
}, 60_000);

test('arguments that name no file fail', () => {
  const { status, lines } = runTests('/e.test');
  expect(lines).toEqual(['0 passed, 1 failed']);
  expect(status).toBe(1);
}, 60_000);

test('a file that fails at first runs once more, after all others, and is called unsteady', () => {
  const mark = JSON.stringify(path.join(folder, 'mark'));
  const text = `
    const { existsSync, writeFileSync, appendFileSync } = await import('node:fs');
    test('fails once', () => {
      appendFileSync(${JSON.stringify(journal)}, 'unsteady ' + process.pid + '\\n');
      const isFirst = !existsSync(${mark});
      writeFileSync(${mark}, '');
      expect(isFirst).toBe(false);
    });
    test('passes', () => expect(1 + 1).toBe(2));`;
  writeFileSync(path.join(folder, 'unsteady.test.ts'), text);
  const { status, lines, files } = runTests('--repeat-failed');
  expect(files.at(-1)).toBe('unsteady');
  expect(files.filter((name) => name === 'unsteady')).toHaveLength(2);
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^unsteady: .*unsteady\.test\.ts$/),
    '6 passed, 0 failed',
  ]);
  expect(status).toBe(0);
}, 60_000);
