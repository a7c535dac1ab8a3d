import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Listener } from '@parley/kit/http/listener';
import { createContext, type Parts } from './context.ts';
import { createApp } from './app.ts';
import { listenAlone } from './listener.ts';
import type { ConsoleConfig } from './settings.ts';
import { createSite, type Site } from './site/index.ts';

/** The server of operators' pages, their API and the documentation, as the gateway has it. */
export type ConsoleServer = {
  /** Answers requests of the gateway's public listener: for the documentation, and for the rest where the operator wants that. */
  onPublicListener(req: IncomingMessage, res: ServerResponse): void;
  /** A listener for the console and the administration API alone. */
  listener(): Listener;
  /** The built documentation's page about errors. */
  errorsPage: Site['errorsPage'];
};

type Config = ConsoleConfig & { onPublicPort: boolean };

export function createConsoleServer(config: Config, parts: Parts): ConsoleServer {
  const context = createContext(config, parts);
  const site = createSite(config, parts);
  const operators = config.onPublicPort ? 'public' : undefined;
  return {
    onPublicListener: createApp(context, { operators, site: site.handler }),
    listener: () => listenAlone(context, createApp(context, { operators: 'console', site: undefined })),
    errorsPage: site.errorsPage,
  };
}
