import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createApp, type TestApp } from '../../../../test/support/app.ts';
import { platform } from '../../../../test/support/platform.ts';
import { createServerClient, type ServerClient, type ServerClientOptions } from '../../src/server/index.ts';

type Described = { paths: Record<string, Record<string, { operationId: string; security?: object[] }>> };
type Named = { id: string; method: string; pattern: RegExp };

/** An application of the real platform, and a client whose requests are noted. */
export type ServerWorld = {
  app: TestApp;
  server: ServerClient;
  /** Ids of the operations of docs/openapi.json that were called. */
  called: Set<string>;
  clientWith(options: Partial<ServerClientOptions>): ServerClient;
};

export async function serverWorld(): Promise<ServerWorld> {
  const app = await createApp(await platform());
  const called = new Set<string>();
  const operations = serverOperations();
  function noted(...[input, init]: Parameters<typeof fetch>): ReturnType<typeof fetch> {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const found = operations.find(({ method, pattern }) => method === init?.method && pattern.test(pathname));
    if (found) called.add(found.id);
    return fetch(input, init);
  }
  const clientWith = (options: Partial<ServerClientOptions>) =>
    createServerClient({
      url: app.baseUrl,
      appId: app.appId,
      accessToken: app.accessToken,
      fetch: noted,
      ...options,
    });
  return { app, server: clientWith({}), called, clientWith };
}

/** The operations of servers, as docs/openapi.json describes them; those without parameters come first. */
export function serverOperations(): Named[] {
  const document = path.resolve(import.meta.dirname, '../../../../docs/openapi.json');
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as Described;
  return Object.entries(paths)
    .flatMap(([pattern, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security?.some((scheme) => 'bearer' in scheme))
        .map(([method, { operationId }]) => ({
          id: operationId,
          method: method.toUpperCase(),
          pattern: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`),
        })),
    )
    .sort((one, other) => one.pattern.source.split('+').length - other.pattern.source.split('+').length);
}
