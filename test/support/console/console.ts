import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { adminCall, type Platform } from '../app.ts';
import { until } from '../until.ts';

const BUILD = path.resolve(import.meta.dirname, '../../../scripts/console.ts');

/** Brings the built console up to date, which takes a few seconds. */
export function buildConsole(): void {
  const { status, stderr } = spawnSync(process.execPath, [BUILD], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the console was not built: ${stderr}`);
}

/** The console of a person who has signed in with a code, in a window of its own. */
export type ConsoleWindow = {
  readonly page: Page;
  /** Errors and warnings of the browser's console, errors of scripts, requests to other hosts. */
  readonly complaints: string[];
  /** Refusals that a test asks for, by a part of their address: the browser says of them that a resource failed to load. */
  expectRefusal(part: string): void;
  open(at: string): Promise<void>;
  press(name: string, within?: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** The heading of the page. */
  untilTitled(title: string): Promise<void>;
  untilText(text: string): Promise<void>;
};

const PAGE_MS = 60_000;

export async function openConsole(browser: Browser, platform: Platform): Promise<ConsoleWindow> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PAGE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const refusals = ['/console/session'];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(platform.baseUrl).host)
      complaints.push(`request to ${request.url()}`);
  });
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const { url } = message.location();
    const isExpected =
      message.text().startsWith('Failed to load resource') && refusals.some((part) => url.includes(part));
    if (!isExpected) complaints.push(`${message.text()} ${url}`);
  });
  return {
    page,
    complaints,
    expectRefusal: (part) => void refusals.push(part),
    open: async (at) => void (await page.goto(platform.baseUrl + at)),
    press: (name, within) =>
      (within ? page.locator(within) : page).getByRole('button', { name, exact: true }).first().click(),
    fill: (label, text) =>
      page
        .getByLabel(new RegExp(`^${label}`))
        .and(page.locator('input, textarea'))
        .first()
        .fill(text),
    untilTitled: (title) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor(),
    untilText: (text) => page.getByText(text).first().waitFor(),
  };
}

/** The path of the page that takes a new code of the platform. */
export async function signInPath(platform: Platform): Promise<string> {
  const { code } = await adminCall(platform, 'CreateSignInCode', {});
  return `/console/sign-in#code=${code}`;
}

/** Resolves when a page has its heading and waits for no data. */
export async function untilSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await until(
    'nothing is loading',
    async () => (await page.locator('[aria-label^="Loading"]').count()) === 0 || undefined,
    PAGE_MS,
  );
}
