import Type from 'typebox';
import { NONCE, SESSION, SESSION_INPUT } from '../examples/session.ts';
import { HeaderData } from '../records/header-data.ts';
import { InvalidSessionProperty, Nonce, Session, SessionInput } from '../records/session.ts';
import { linkHeader, SESSION_LINKS } from './links.ts';
import type { Operations } from './operation.ts';

const LOGIN = `Exchanges an identity token for a session token.

1. The client asks for a nonce with \`POST /nonces\`.
2. It passes the nonce, unchanged, with the user's credentials to the login backend that the application provides.
3. The backend checks the credentials, and signs an identity token with RS256: the header has \`typ\` \`JWT\`, \`alg\` \`RS256\`, \`cty\`
   \`svc-eit;v=1\` and \`kid\`, the URI of a key; the claims are \`iss\` (URI of the provider), \`prn\` (the user id), \`iat\`, \`exp\`,
   \`nce\` (the nonce), and optionally \`first_name\`, \`last_name\`, \`display_name\` and \`avatar_url\`.
4. The client posts the token here.

Keys and providers are made by the administration API. A nonce is used up by a login that succeeds. A token that is refused gives
\`invalid_property\` with the reason in \`data.reason\`.`;

export const SESSIONS = {
  createNonce: {
    route: 'POST /nonces',
    docs: 'authentication.md#nonces',
    auth: 'none',
    operator: null,
    summary: 'Request a nonce',
    tag: 'Sessions',
    description: 'A nonce for one login. It may be asked for at any time; there is no body.',
    success: { 201: { description: 'The nonce.', body: { schema: Nonce, example: NONCE } } },
    errors: [],
  },
  createSession: {
    route: 'POST /sessions',
    docs: 'authentication.md#sessions',
    auth: 'none',
    operator: null,
    summary: 'Request a session token',
    keyOwner: 'login',
    tag: 'Sessions',
    description: LOGIN,
    body: {
      required: true,
      schema: SessionInput,
      example: SESSION_INPUT,
      sample: { app_id: '{{APP_ID}}', identity_token: '{{IDENTITY_TOKEN}}' },
    },
    success: {
      201: {
        description: 'The session.',
        headers: linkHeader(SESSION_LINKS),
        body: { schema: Session, example: SESSION },
      },
    },
    errors: ['invalid_app_id', 'app_suspended', 'access_denied', 'missing_property', 'invalid_property'],
    errorData: { invalid_property: Type.Union([InvalidSessionProperty, HeaderData]) },
  },
  deleteSession: {
    route: 'DELETE /sessions/:token',
    docs: 'authentication.md#sessions',
    auth: 'session',
    operator: 'operator: none',
    summary: 'Delete a session token',
    tag: 'Sessions',
    description:
      'Ends a session of the user, whose token is in the path. Its sockets are closed, and clients with the token are logged out.',
    success: { 204: { description: 'The session has ended.' } },
    errors: ['not_found'],
  },
} satisfies Operations;
