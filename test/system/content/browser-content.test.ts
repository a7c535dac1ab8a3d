import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeWith, findChromium } from '@parley/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createApp, type TestUser } from '../../support/app.ts';
import { MEDIA_TYPE } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

const ARGS = [
  ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

type Result = { statuses: number[]; downloaded: string };

describeWith('chromium', 'a page of another origin', () => {
  let pages: Server;
  let browser: Browser;
  let page: Page;
  let ada: TestUser;
  const blocked: string[] = [];

  beforeAll(async () => {
    pages = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html');
      res.end('<!doctype html><title>A page</title>');
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ARGS });
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.text().includes('CORS')) blocked.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    ada = await (await createApp(await platform())).login('ada');
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  // The headers are those that clients of this protocol send with every request to a content address.
  test('uploads, sends and downloads content, with the headers that clients send', async () => {
    const given = {
      baseUrl: ada.app.baseUrl,
      token: ada.token,
      accept: MEDIA_TYPE,
      origin: new URL(page.url()).origin,
    };
    const { statuses, downloaded } = await page.evaluate(
      async ({ baseUrl, token, accept, origin }): Promise<Result> => {
        const statuses: number[] = [];
        const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'page=1' };
        const authorization = `Svc session-token="${token}"`;
        async function call(url: string, init: RequestInit): Promise<Response> {
          const response = await fetch(url, { ...init, headers: { accept, ...trace, ...init.headers } });
          statuses.push(response.status);
          return response;
        }
        const data = new Blob(['seen by ', 'a browser'], { type: 'text/plain' });
        const upload = {
          'upload-content-type': data.type,
          'upload-content-length': String(data.size),
          'upload-origin': origin,
        };
        const api = (path: string, body: unknown, headers = {}) =>
          call(baseUrl + path, {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          });
        const content = (await (await api('/content', {}, upload)).json()) as {
          id: string;
          upload_url: string;
        };
        await call(content.upload_url, { method: 'PUT', headers: upload, body: data });
        const conversation = (await (await api('/conversations', { participants: [] })).json()) as {
          messages_url: string;
        };
        const parts = [{ mime_type: data.type, content: { id: content.id, size: data.size } }];
        const { pathname } = new URL(conversation.messages_url);
        const message = (await (await api(pathname, { parts })).json()) as {
          parts: { content: { download_url: string } }[];
        };
        const address = message.parts[0]?.content.download_url ?? '';
        const whole = await call(address, {});
        const range = await call(address, { headers: { range: 'bytes=0-3' } });
        return { statuses, downloaded: `${await whole.text()} | ${await range.text()}` };
      },
      given,
    );
    expect(blocked).toEqual([]);
    expect(statuses).toEqual([201, 200, 201, 201, 200, 206]);
    expect(downloaded).toBe('seen by a browser | seen');
  }, 60_000);
});
