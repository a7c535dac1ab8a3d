import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { until } from '../until.ts';
import { axeSource } from './pages.ts';

/** A page, and its faults. */
export type Inspected = {
  path: string;
  /** Errors and warnings of the console, failed requests, and requests to other hosts. */
  complaints: string[];
  /** Violations that axe finds in both themes. */
  violations: string[];
  /** Links of the page within the host. */
  links: string[];
  /** Anchors of the page. */
  anchors: string[];
};

const STYLES_OF_TEXTS = `{${readFileSync(path.join(import.meta.dirname, 'styles-of-texts.mjs'), 'utf8')}}`;

/** Longest time for a page on a machine that is busy with other tests. Milliseconds. */
const PAGE_MS = 60_000;

type Site = { baseUrl: string; paths: readonly string[] };

/** Opens the pages, several at once, each worker one after the other in one tab, whose process it keeps. */
export async function inspectPages(browser: Browser, { baseUrl, paths }: Site): Promise<Inspected[]> {
  const axe = axeSource();
  const styles = new Set<string>();
  const waiting = [...paths];
  const found: Inspected[] = [];
  async function work(): Promise<void> {
    // Axe is no part of the page, whose policy would not admit it.
    const context = await browser.newContext({ colorScheme: 'light' });
    context.setDefaultTimeout(PAGE_MS);
    const page = await context.newPage();
    const heard = listen(page, baseUrl);
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const inspected = await inspect(page, { baseUrl, at, axe, styles });
      found.push({ ...inspected, complaints: heard.splice(0) });
    }
    await context.close();
  }
  await Promise.all([work(), work(), work()]);
  return found;
}

/** Whether the scripts of a page have done their work. Runs in the page. */
const SHOWN = `(document.querySelector('#app') ? '__vue_app__' in document.querySelector('#app') : document.querySelector('#reference h1') !== null)`;

/** Asks again and again from here: the policy of the page does not let it evaluate a condition by itself. */
export async function untilShown(page: Page): Promise<void> {
  await until('the page is shown', async () => (await page.evaluate(SHOWN)) || undefined, PAGE_MS);
}

/** `styles`: those whose colours were looked at on other pages. */
type Address = { baseUrl: string; at: string; axe: string; styles: Set<string> };

async function inspect(
  page: Page,
  { baseUrl, at, axe, styles }: Address,
): Promise<Omit<Inspected, 'complaints'>> {
  await page.goto(baseUrl + at);
  await untilShown(page);
  const violations = await violationsInBothThemes(page, { axe, styles });
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const anchors = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  const links = hrefs
    .map((href) => new URL(href, baseUrl + at).href)
    .filter((link) => link.startsWith(`${baseUrl}/`));
  return { path: at, violations, links, anchors };
}

async function violationsInBothThemes(
  page: Page,
  { axe, styles }: Pick<Address, 'axe' | 'styles'>,
): Promise<string[]> {
  await page.evaluate(axe);
  await page.evaluate(STYLES_OF_TEXTS);
  // Of elements that the same rules of the style sheet apply to, one shows whether its colours are legible.
  const found = await page.evaluate(() => (globalThis as unknown as InPage).textStyles.list());
  const fresh = found.filter((style) => !styles.has(style));
  for (const style of fresh) styles.add(style);
  const all = await runAxe(page, { rules: { [CONTRAST]: { enabled: false } } });
  if (fresh.length === 0) return all;
  const contrast = { runOnly: { type: 'rule', values: [CONTRAST] } };
  const light = await runAxe(page, contrast, fresh);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await runAxe(page, contrast, fresh);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...all, ...light, ...dark];
}

function listen(page: Page, baseUrl: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !url.startsWith('data:')) complaints.push(`request to ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}

type InPage = {
  axe: { run(context: unknown, options: object): Promise<{ violations: Violation[] }> };
  textStyles: { list(): string[]; elementsOf(styles: readonly string[]): unknown };
  document: unknown;
};
type Violation = { id: string; nodes: { html: string }[] };

const CONTRAST = 'color-contrast';

/** Violations that axe, which the page has loaded, finds; by default with all its rules. */
export function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  return runAxe(page, rules ? { runOnly: { type: 'rule', values: rules } } : {});
}

/** Runs axe on the page or, with `styles`, in an element of each of these. */
async function runAxe(page: Page, options: object, styles?: readonly string[]): Promise<string[]> {
  const violations = await page.evaluate(
    async ([given, only]): Promise<Violation[]> => {
      const { axe, textStyles, document } = globalThis as unknown as InPage;
      const context = only ? textStyles.elementsOf(only) : document;
      return (await axe.run(context, { resultTypes: ['violations'], ...given })).violations;
    },
    [options, styles] as const,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
