import { apiAddress } from './api-url.ts';
import { pathTo } from './path.ts';
import { RequestFailure } from './failure.ts';
import { postJson, request } from './request.ts';

/** An application: its bare UUID, and its URI, whose scheme is the wire name of the deployment. */
export type AppIds = { appUuid: string; id: string };

export type RestRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** The webhooks API has a media type of its own. */
  isOfWebhooks?: boolean;
  signal?: AbortSignal;
};

/** `count` is how many items a list has in all, `link` the header of that name. */
export type RestAnswer<T> = {
  data: T;
  count: number | undefined;
  link: string | null;
  status: number;
};

type Access = 'read' | 'write';
type AppToken = { token: string; issuedAt: number };

/** Tokens are valid for five minutes. By age, since the clock of this machine may differ from the platform's. */
const RENEW_AFTER_MS = 270_000;
/** They live here alone. */
const tokens = new Map<string, Promise<AppToken>>();

export function wireNameOf({ id }: AppIds): string {
  return id.split(':', 1)[0] ?? 'svc';
}

/** A request of the application's server API; `path` begins below `/apps/<app_uuid>`. */
export async function rest<T>(
  app: AppIds,
  path: string,
  { method = 'GET', body, isOfWebhooks = false, signal }: RestRequest = {},
): Promise<RestAnswer<T>> {
  const access = method === 'GET' ? 'read' : 'write';
  const wire = wireNameOf(app);
  const send = async () => {
    const { token } = await tokenOf(app.appUuid, access);
    return request(apiAddress(pathTo`/apps/${app.appUuid}` + path), {
      method,
      headers: {
        accept: `application/vnd.${wire}${isOfWebhooks ? '.webhooks' : ''}+json; version=3.0`,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal && { signal }),
    });
  };
  const response = await send().catch((error: unknown) => {
    if (!(error instanceof RequestFailure) || error.status !== 401) throw error;
    // It was revoked before its time.
    tokens.delete(keyOf(app.appUuid, access));
    return send();
  });
  return readAnswer<T>(response, wire);
}

async function readAnswer<T>(response: Response, wire: string): Promise<RestAnswer<T>> {
  const text = await response.text();
  const count = response.headers.get(`${wire}-count`);
  return {
    data: (text === '' ? undefined : JSON.parse(text)) as T,
    count: count === null ? undefined : Number(count),
    link: response.headers.get('link'),
    status: response.status,
  };
}

function keyOf(appUuid: string, access: Access): string {
  return `${access} ${appUuid}`;
}

/** A token for the server API of an application, valid for at least half a minute. */
export async function appToken(appUuid: string, access: Access): Promise<string> {
  return (await tokenOf(appUuid, access)).token;
}

async function tokenOf(appUuid: string, access: Access): Promise<AppToken> {
  const key = keyOf(appUuid, access);
  const known = await tokens.get(key);
  if (known && performance.now() - known.issuedAt < RENEW_AFTER_MS) return known;
  const issued = issueToken(appUuid, access);
  tokens.set(key, issued);
  issued.catch(() => tokens.delete(key));
  return issued;
}

async function issueToken(appUuid: string, access: Access): Promise<AppToken> {
  const issuedAt = performance.now();
  const response = await postJson('/console/app-token', { app_id: appUuid, access });
  const { token } = (await response.json()) as { token: string };
  return { token, issuedAt };
}
