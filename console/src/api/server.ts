import { createServerClient, ParleyError, type ServerClient } from '@parley/client/server';
import { apiOrigin } from './api-url.ts';
import { wireNameOf, type AppIds } from './app-ids.ts';
import { appToken, forgetAppToken } from './app-token.ts';
import type { Access } from './console.ts';

/** A call of the server API, by the client library. */
export type Operation<Body> = (server: ServerClient) => Promise<Body>;

/** `count`: how many items a list has in all. `link`: the header of that name. */
export type Answer<Body> = { body: Body; count: number | undefined; link: string | null };

/** Reads from the server API of an application, as a viewer may. */
export async function readServer<Body>(app: AppIds, operation: Operation<Body>): Promise<Body> {
  return (await call(app, 'read', operation)).body;
}

/** Reads a list with what the platform says of it. */
export function readServerList<Body>(app: AppIds, operation: Operation<Body>): Promise<Answer<Body>> {
  return call(app, 'read', operation);
}

/** Changes something by the server API of an application, as an operator may. */
export async function writeServer<Body>(app: AppIds, operation: Operation<Body>): Promise<Body> {
  return (await call(app, 'write', operation)).body;
}

async function call<Body>(app: AppIds, access: Access, operation: Operation<Body>): Promise<Answer<Body>> {
  try {
    return await attempt(app, access, operation);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.status !== 401) throw error;
    // The token was revoked before its time.
    forgetAppToken(app.appUuid, access);
    return attempt(app, access, operation);
  }
}

async function attempt<Body>(app: AppIds, access: Access, operation: Operation<Body>): Promise<Answer<Body>> {
  let headers = new Headers();
  const server = createServerClient({
    url: apiOrigin(),
    appId: app.id,
    accessToken: await appToken(app.appUuid, access),
    // Queries are repeated by themselves, and a person repeats what they did.
    retries: 0,
    fetch: async (...request) => {
      const response = await fetch(...request);
      headers = response.headers;
      return response;
    },
  });
  const body = await operation(server);
  const count = headers.get(`${wireNameOf(app)}-count`);
  return { body, count: count === null ? undefined : Number(count), link: headers.get('link') };
}
