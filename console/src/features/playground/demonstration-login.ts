import { ADMIN } from '../../api/admin.ts';
import { apiAddress } from '../../api/api-url.ts';
import { request } from '../../api/request.ts';
import { wireNameOf, type AppIds } from '../../api/rest.ts';
import { fromPem } from '../exports/pem.ts';

/** A user who is logged in, in this page alone. */
export type Login = { user: string; token: string; wire: string };

const VALID_S = 300;

/** Vouches for a user with a key that exists for this login only. */
export async function logInAs(app: AppIds, user: string): Promise<Login> {
  const { provider } = await ADMIN.createProvider({
    appUuid: app.appUuid,
    name: 'Playground of the console',
  });
  const providerId = provider?.id ?? '';
  try {
    const { key, privateKey } = await ADMIN.createKey({ providerId });
    const wire = wireNameOf(app);
    const accept = `application/vnd.${wire}+json; version=3.0`;
    const nonce = await post<{ nonce: string }>('/nonces', accept);
    const header = { typ: 'JWT', alg: 'RS256', cty: `${wire}-eit;v=1`, kid: key?.id };
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: providerId, prn: user, iat: now, exp: now + VALID_S, nce: nonce.nonce };
    const identity_token = await sign({ header, claims }, privateKey ?? '');
    const body = { identity_token, app_id: app.id };
    const { session_token: token } = await post<{ session_token: string }>('/sessions', accept, body);
    return { user, token, wire };
  } finally {
    await ADMIN.deleteProvider({ providerId });
  }
}

async function post<T>(path: string, accept: string, body?: unknown): Promise<T> {
  const response = await request(apiAddress(path), {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return (await response.json()) as T;
}

async function sign({ header, claims }: { header: object; claims: object }, pem: string): Promise<string> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', fromPem(pem), algorithm, false, ['sign']);
  const text = [header, claims]
    .map((part) => base64url(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text));
  return `${text}.${base64url(new Uint8Array(signature))}`;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
