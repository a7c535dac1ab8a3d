import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform, type Platform } from '@parley/stack/platform';
import { freePort } from '@parley/testing';

const repository = path.resolve(import.meta.dirname, '..', '..', '..');
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
  await running?.discard();
  rmSync(folder, { recursive: true, force: true });
});

const features = readme
  .slice(readme.indexOf('## What it does'), readme.indexOf('## Map of the tree'))
  .split('\n')
  .filter((line) => /^\| (?!feature|---)/.test(line));
// It starts a platform of its own.
const WITHOUT_PAGE = ['npm run lab -- bench'];

test('every feature has a short line that leads to a page, whose commands another test pastes', () => {
  const pages = new Map(
    [...readme.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, name, page]) => [name!, page!]),
  );
  const isWithout = (line: string) =>
    !pages.has(/^\| \[([^\]]+)\]\[\]/.exec(line)?.[1] ?? '') &&
    !WITHOUT_PAGE.some((command) => line.includes(command));
  expect(features.length).toBeGreaterThan(15);
  expect(features.filter((line) => isWithout(line) || line.length > 100)).toEqual([]);
});

test('the demonstration login answers at the same address after a restart', async () => {
  const before = running.state.demo!.login_url;
  expect((await fetch(`${before}/session?user=ada`)).status).toBe(200);
  await running.stop();
  await start();
  expect(running.state.demo!.login_url).toBe(before);
  expect((await fetch(`${before}/session?user=ada`)).status).toBe(200);
}, 90_000);
