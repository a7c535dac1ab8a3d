import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider, type ClientMetadata, type Configuration } from 'oidc-provider';

export const CLIENT = { id: 'console', secret: 'the-client-secret-of-tests' };

export type IdentityProvider = {
  issuer: string;
  /** The person who signs in next. Their `groups` go into the ID token. */
  person: { sub: string; name: string; groups: string[] };
  /** Replaces the ID tokens that the token endpoint gives out. */
  replaceIdToken: ((idToken: string) => string | Promise<string>) | undefined;
  stop(): Promise<void>;
};

type Options = { redirectUris: string[]; clientSecret?: string };

/** A certified OpenID provider on this machine, where the person signs in without a form. */
export async function startIdentityProvider({
  redirectUris,
  clientSecret = CLIENT.secret,
}: Options): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const person: IdentityProvider['person'] = { sub: 'ada', name: 'Ada', groups: [] };
  const client = { client_id: CLIENT.id, client_secret: clientSecret, redirect_uris: redirectUris };
  const provider = new Provider(issuer, await configure(person, client));
  const serve = provider.callback();
  const idp: IdentityProvider = { issuer, person, replaceIdToken: undefined, stop: () => close(server) };
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/token' && idp.replaceIdToken) replaceIn(res, idp.replaceIdToken);
    if (!req.url?.startsWith('/interaction/')) return void serve(req, res);
    const login = { accountId: person.sub };
    provider
      .interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
      .catch(() => res.destroy());
  });
  return idp;
}

/** Changes the ID token of an answer of the token endpoint before it is sent. */
function replaceIn(res: ServerResponse, replace: (idToken: string) => string | Promise<string>): void {
  const end = res.end.bind(res) as (body: string) => ServerResponse;
  res.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body)) as { id_token?: string };
    void (async () => {
      const id_token = await replace(answer.id_token ?? '');
      const changed = JSON.stringify({ ...answer, id_token });
      res.setHeader('content-length', Buffer.byteLength(changed));
      end(changed);
    })();
    return res;
  }) as typeof res.end;
}

async function configure(person: IdentityProvider['person'], client: ClientMetadata): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['the-cookie-key-of-tests'] },
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...person, sub: accountId }),
    }),
    async loadExistingGrant({ oidc }) {
      const clientId = oidc.client?.clientId ?? '';
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid profile groups');
      await grant.save();
      return grant;
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
