import type { Browser, Page } from 'playwright-core';
import { until } from '../until.ts';
import { axeSource } from './pages.ts';

/** What a page is, and what is wrong with it. */
export type Inspected = {
  path: string;
  /** Errors and warnings of the console, failed requests, and requests to other hosts. */
  complaints: string[];
  /** What axe finds, in the light and in the dark. */
  violations: string[];
  /** Where it leads, without what is outside the host. */
  links: string[];
  /** What links may lead to within it. */
  anchors: string[];
};

/** What a page may take on a machine that is busy with other tests. */
const PAGE_MS = 60_000;

type Site = { baseUrl: string; paths: readonly string[] };

/** The longest pages of a reference whose other pages consist of the same elements: axe takes ten seconds for them. */
const WITHOUT_AXE = new Set(['/docs/reference/client/', '/docs/reference/client-server/']);

/** Opens the pages, several at once, each worker one after the other in one tab, whose process it keeps. */
export async function inspectPages(browser: Browser, { baseUrl, paths }: Site): Promise<Inspected[]> {
  const axe = axeSource();
  const waiting = [...paths];
  const found: Inspected[] = [];
  async function work(): Promise<void> {
    // Axe is no part of the page, whose policy would not admit it.
    const context = await browser.newContext({ colorScheme: 'light' });
    context.setDefaultTimeout(PAGE_MS);
    const page = await context.newPage();
    const heard = listen(page, baseUrl);
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const inspected = await inspect(page, { baseUrl, at, axe });
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

type Address = { baseUrl: string; at: string; axe: string };

async function inspect(page: Page, { baseUrl, at, axe }: Address): Promise<Omit<Inspected, 'complaints'>> {
  await page.goto(baseUrl + at);
  await untilShown(page);
  const violations = WITHOUT_AXE.has(at) ? [] : await violationsInBothThemes(page, axe);
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const anchors = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  const links = hrefs
    .map((href) => new URL(href, baseUrl + at).href)
    .filter((link) => link.startsWith(`${baseUrl}/`));
  return { path: at, violations, links, anchors };
}

async function violationsInBothThemes(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Everything else is the same in the dark.
  const dark = await violationsOf(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
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

type Axe = { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
type Violation = { id: string; nodes: { html: string }[] };

/** What axe, which the page has, finds wrong; by default with all its rules. */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (only): Promise<Violation[]> => {
    const { axe } = globalThis as unknown as Axe;
    const options = { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: only } }) };
    return (await axe.run(options)).violations;
  }, rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
