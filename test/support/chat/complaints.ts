import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** Errors in the windows of a context. */
export type Complaints = {
  /** Errors of scripts, errors and warnings of the console, requests to other hosts. */
  readonly found: string[];
  /** Expects that processes are killed from now on: the browser then says that the platform does not answer, which cannot be prevented. */
  expectKills(): void;
};

export function listenForComplaints(context: BrowserContext, platform: string): Complaints {
  const found: string[] = [];
  let areKilled = false;
  context.on('page', (page: Page) => {
    page.on('pageerror', (error) => found.push(error.message));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1') found.push(request.url());
    });
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      if (!areKilled || !isUnanswered(message, platform))
        found.push(`${message.text()} ${message.location().url}`);
    });
  });
  return { found, expectKills: () => (areKilled = true) };
}

const UNANSWERED =
  /^Failed to load resource: (net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|the server responded with a status of 503 .*)$/;
/** A message whose answer was lost is sent again, with the same id. */
const REPEATED = /^Failed to load resource: the server responded with a status of 409 .*$/;

/** Whether the browser itself says that a request to the platform, or its socket, came to nothing, or had been answered before. */
function isUnanswered(message: ConsoleMessage, platform: string): boolean {
  const text = message.text();
  const { url } = message.location();
  const socket = `WebSocket connection to '${platform.replace(/^http/, 'ws')}/websocket' failed: `;
  if (text.startsWith(socket)) return true;
  if (!url.startsWith(`${platform}/`)) return false;
  return UNANSWERED.test(text) || (REPEATED.test(text) && /\/conversations\/[\w-]+\/messages$/.test(url));
}
