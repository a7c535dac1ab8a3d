import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findChromium } from '@parley/testing';
import { chromium, type Browser, type Page } from 'playwright-core';

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--headless'] });
}

/** A page, and the errors of its scripts and console. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 620 } });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(url);
  return { page, complaints };
}

/** A command that serves pages, and the address that it prints. */
export type Served = { url: string; output: string[]; stop(): void };

const ADDRESS = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+\//;

/** Starts a command that serves pages, and waits for the address. Fails with the output of a command that ends before. */
export async function serve(
  [command = '', ...args]: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Served> {
  const given = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env };
  const child = spawn(command, args, { cwd, env: given, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        const [found] = ADDRESS.exec(line) ?? [];
        if (found) resolve(found);
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${output.join('\n')}`)));
  });
  return { url, output, stop: () => endGroup(child) };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
