import { wireNameOf } from './wire-name.ts';
import { base64Of, bytesOfBase64 } from './base64.ts';

/** The user of a token, and the key that signs it. */
export type IdentityTokenInput = {
  /** The user id of your application: 1 to 256 characters. */
  userId: string;
  /** The nonce that the client got, unchanged. */
  nonce: string;
  /** `svc:///providers/<uuid>`, as `parley admin create-provider` prints it. */
  providerId: string;
  /** `svc:///keys/<uuid>`, as `parley admin create-key` prints it. */
  keyId: string;
  /** The private key that belongs to `keyId`: its PEM (PKCS #8), or the result of `importPrivateKey`. */
  privateKey: string | CryptoKey;
  /** How long the token can be exchanged for a session, in seconds; by default 300. */
  lifetimeSeconds?: number;
  /** The user's name and picture; omitted fields stay unchanged. */
  profile?: { display_name?: string; first_name?: string; last_name?: string; avatar_url?: string };
  /** The deployment's wire name; default: the scheme of `providerId`. */
  wireName?: string;
};

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const DEFAULT_LIFETIME_SECONDS = 300;
const PEM_BEGIN = '-----BEGIN PRIVATE KEY-----';
const PEM_END = '-----END PRIVATE KEY-----';

/**
 * Signs an identity token, with which a client opens a session. Call it only after your backend has checked who the user is.
 *
 * @param input Of whom the token speaks, and who signs it.
 * @returns The token, a compact JWS.
 * @throws DOMException or TypeError if the key is not a private RSA key in PKCS #8.
 * @example
 * app.post('/identity-token', async (request, response) => {
 *   const { nonce } = request.body;
 *   response.json({ identity_token: await signIdentityToken({ userId: request.user.id, nonce, providerId, keyId, privateKey }) });
 * });
 */
export async function signIdentityToken(input: IdentityTokenInput): Promise<string> {
  const { userId, nonce, providerId, keyId, profile = {}, wireName = wireNameOf(providerId) } = input;
  const issuedAt = Math.floor(Date.now() / 1000);
  const header = { typ: 'JWT', alg: 'RS256', cty: `${wireName}-eit;v=1`, kid: keyId };
  const claims = {
    ...profile,
    iss: providerId,
    prn: userId,
    nce: nonce,
    iat: issuedAt,
    exp: issuedAt + (input.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS),
  };
  const text = [header, claims]
    .map((part) => base64UrlOf(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const key =
    typeof input.privateKey === 'string' ? await importPrivateKey(input.privateKey) : input.privateKey;
  const signature = await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(text));
  return `${text}.${base64UrlOf(new Uint8Array(signature))}`;
}

/**
 * Imports a private key once, so that not each token has to.
 *
 * @param pem PKCS #8, beginning with `-----BEGIN PRIVATE KEY-----`.
 * @returns The key, for `signIdentityToken`.
 * @throws DOMException or TypeError if it is not a private RSA key in PKCS #8.
 * @example
 * const privateKey = await importPrivateKey(await readFile('private-key.pem', 'utf8'));
 */
export async function importPrivateKey(pem: string): Promise<CryptoKey> {
  const begin = pem.indexOf(PEM_BEGIN) + PEM_BEGIN.length;
  const end = pem.indexOf(PEM_END, begin);
  const base64 = begin < PEM_BEGIN.length || end <= begin ? undefined : pem.slice(begin, end);
  if (base64 === undefined)
    throw new TypeError('The private key is not a PEM in PKCS #8 (BEGIN PRIVATE KEY).');
  return crypto.subtle.importKey('pkcs8', bytesOfBase64(base64.replace(/\s/g, '')), ALGORITHM, false, [
    'sign',
  ]);
}

function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
