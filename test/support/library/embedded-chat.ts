import type { Browser } from 'playwright-core';
import { createApp, type TestApp } from '../app.ts';
import { platform } from '../platform.ts';
import { startHostPage, type HostPage } from './host-page.ts';
import { buildLibrary } from './library.ts';
import { startBrowser } from './page.ts';

/** The page of an application with a chat of Ada, who has a conversation with Grace. */
export type EmbeddedChat = {
  readonly app: TestApp;
  /** URI of the conversation, which has a message of Grace's. */
  readonly conversation: string;
  readonly browser: Browser;
  readonly host: HostPage;
  /** Grace says something, with this session token. */
  readonly say: (token: string, text: string) => Promise<unknown>;
  /** Grace sends these parts. */
  readonly send: (token: string, parts: readonly object[]) => Promise<unknown>;
  /** Closes all pages, and gives the token endpoint its own answers again. */
  reset(): Promise<void>;
  stop(): Promise<void>;
};

const DETAILS = { participants: ['ada', 'grace'], distinct: true };

export async function startEmbeddedChat(): Promise<EmbeddedChat> {
  buildLibrary();
  const app = await createApp(await platform());
  const browser = await startBrowser();
  const [ada, grace] = [await app.login('ada'), await app.login('grace')];
  const { id } = (await ada.call('POST', '/conversations', 201, { body: DETAILS })).body;
  const host = await startHostPage(app, 'ada');
  const send = (token: string, parts: readonly object[]): Promise<unknown> => {
    const path = `/conversations/${id.slice(id.lastIndexOf('/') + 1)}/messages`;
    return app.userOf('grace', token).call('POST', path, 201, { body: { parts } });
  };
  const say = (token: string, text: string) => send(token, [{ mime_type: 'text/plain', body: text }]);
  await say(grace.token, 'Hello, Ada!');
  return {
    app,
    conversation: id,
    browser,
    host,
    say,
    send,
    async reset() {
      host.user = 'ada';
      host.tokenAnswer = undefined;
      for (const context of browser.contexts()) await context.close();
    },
    async stop() {
      host.close();
      await browser.close();
    },
  };
}
