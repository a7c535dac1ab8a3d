import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { constants } from 'node:os';
import { inRepository, repository } from './paths.mjs';

// The workspace's tools come first, its Node among them.
function environment(extra) {
  const folders = [inRepository('node_modules', '.bin'), process.env.PATH ?? ''];
  return { ...process.env, PATH: folders.join(path.delimiter), ...extra };
}

/** Runs a tool; its output is shown only when it fails. */
export function run(command, args, { cwd = repository, env = {}, show = false } = {}) {
  const stdio = show ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'];
  const result = spawnSync(command, args, { cwd, stdio, encoding: 'utf8', env: environment(env) });
  if (result.error) throw new Error(`${command} cannot be run: ${result.error.message}`);
  if (result.status === 0) return result.stdout ?? '';
  const output = [result.stdout, result.stderr].filter(Boolean).join('\n').trim();
  throw new Error(`${[command, ...args].join(' ')} failed${output ? `:\n${output}` : ''}`);
}

/**
 * Becomes the other process as far as that is possible: its output, its signals, its exit code. The channel lets it
 * notice when this process is killed.
 */
export async function handOver(command, args) {
  const child = spawn(command, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) stopWithParent(child);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...how) => resolve(how));
  });
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
}

// npm passes signals on, but cannot when it is killed itself.
function stopWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1_000).unref();
}
