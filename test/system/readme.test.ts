import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { freePort } from '@parley/stack/testing';

const repository = path.resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(path.join(repository, 'README.md'), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-readme-'));
const dataDir = path.join(folder, 'data');
const port = await freePort();
let running: Platform;

async function start() {
  running = await startPlatform({ dataDir, port, durable: false });
}
beforeAll(start, 90_000);
afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const feature = readme.slice(readme.indexOf('## What it does'), readme.indexOf('## Map of the tree'));
const BLOCKS = [...feature.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!.trim());
const rows = feature.split('\n').filter((line) => /^\| (?!feature|---)/.test(line));
const COMMAND = /^(as_user|as_server|request|socket|curl|npm run parley|[A-Z]+=\S+ as_server) /;
// They start a platform, a test run or a bench themselves.
const OF_THEIR_OWN = ['npm start', 'npm test', 'npm run bench'];

function codeOf(row: string) {
  return [
    ...row
      .split(' | ')
      .at(-1)!
      .matchAll(/`([^`]+)`/g),
  ].map((match) => match[1]!);
}
function commandsOf(row: string) {
  return codeOf(row).filter((code) => COMMAND.test(code));
}

type Outcome = { command: string; status: number; output: string };

/** Runs all commands in one shell, as if pasted, with the test's own commands only before and after them. */
async function paste(commands: string[]): Promise<Outcome[]> {
  const mark = '=== status of ';
  const script = commands.map((command, index) => `${command}\necho "\n${mark}${index}: $?"`).join('\n');
  const { admin_token, base_url } = running.state;
  // The command line of a platform that is not in the checkout's own folder.
  const env = {
    ...process.env,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ADMIN_TOKEN: admin_token,
    PARLEY_URL: base_url,
  };
  const shell = spawn('bash', ['-o', 'pipefail', '-c', script], { cwd: repository, env });
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  const parts = output.split(new RegExp(`\n${mark}\\d+: (\\d+)\n`));
  return commands.map((command, index) => ({
    command,
    status: Number(parts[2 * index + 1] ?? -1),
    output: `${parts[2 * index] ?? ''}${index === 0 ? errors : ''}`,
  }));
}

test('every feature has a line that can be pasted', () => {
  const without = rows.filter(
    (row) =>
      commandsOf(row).length === 0 &&
      !codeOf(row).some((code) => OF_THEIR_OWN.some((own) => code.includes(own))),
  );
  expect({ without, blocks: BLOCKS.length, isLong: rows.length > 15 }).toEqual({
    without: [],
    blocks: 3,
    isLong: true,
  });
});

test('every line of the README works when it is pasted', async () => {
  const outcomes = await paste([...BLOCKS, ...rows.flatMap(commandsOf)]);
  expect(outcomes.filter(({ status }) => status !== 0)).toEqual([]);
  const answers = outcomes.filter(({ command }) => /socket -x/.test(command));
  expect(answers).toHaveLength(3);
  for (const { output } of answers) expect(output).toContain('"success":true');
}, 90_000);

test('the demonstration login answers at the same address after a restart', async () => {
  const before = running.state.demo!.login_url;
  expect((await fetch(`${before}/session?user=ada`)).status).toBe(200);
  await running.stop();
  await start();
  expect(running.state.demo!.login_url).toBe(before);
  expect((await fetch(`${before}/session?user=ada`)).status).toBe(200);
}, 90_000);
