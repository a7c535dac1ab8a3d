import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findChromium } from '@parley/stack/testing';
import { build } from 'esbuild';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const ARGS = [
  ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A browser, and a server of its page, which has the exports of one module as `window.parley`. */
export type TestPages = {
  /** The tabs of a context share what they store. */
  context(): Promise<BrowserContext>;
  open(context: BrowserContext): Promise<Page>;
  /** The id of the process that runs a page, which is the one that has most to do while the page works. */
  processOf(page: Page, work: () => void): Promise<number>;
  /** What the pages complained about. */
  complaints: string[];
  close(): Promise<void>;
};

/** What the page is made of: a module, and other packages in place of some. */
export type PageSource = { module: string; alias?: Record<string, string> };

export async function startPages(source: PageSource): Promise<TestPages> {
  const script = await bundle(source);
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>loading</title><script src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser: Browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ARGS });
  const complaints: string[] = [];
  return {
    complaints,
    context: () => browser.newContext(),
    async open(context) {
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return page;
    },
    async processOf(page, work) {
      const before = await renderers(browser);
      await page.evaluate(work);
      const after = await renderers(browser);
      const busyFor = ({ id, cpuTime }: Renderer) =>
        cpuTime - (before.find((one) => one.id === id)?.cpuTime ?? 0);
      const [busiest] = after.sort((one, other) => busyFor(other) - busyFor(one));
      if (!busiest) throw new Error('there is no page');
      return busiest.id;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

type Renderer = { id: number; cpuTime: number };

async function renderers(browser: Browser): Promise<Renderer[]> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  return processInfo.filter(({ type }) => type === 'renderer');
}

async function bundle({ module, alias = {} }: PageSource): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as parley from './${path.basename(module)}'; window.parley = parley;`,
      resolveDir: path.dirname(module),
      loader: 'ts',
    },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' },
    ...{ alias, absWorkingDir: path.dirname(module) },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}
