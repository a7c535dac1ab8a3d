import type { RuleText } from '@parley/administration/roles';
import {
  createAppToken,
  endSession,
  getSession,
  listSessions,
  signInByCode,
  signOut,
  type ConsoleCall,
} from './endpoints.ts';
import { endProviderSession, finishOidc, startOidc } from './oidc.ts';

export type Endpoint = (call: ConsoleCall) => Promise<void>;

/**
 * One endpoint of the console. `caller`: `page` for the console's own pages alone; `anyone` where the identity provider sends browsers, which the
 * sealed cookie and `state` tie to a sign-in that began here. `rule`: the least role, and what leaves by it; `anyone` without one. `refused`: the
 * action of the audit log for a request that is refused; identity notes one that succeeds, in its transaction. Null: it changes nothing that
 * outlives the request.
 */
export type EndpointRow = readonly [
  method: 'get' | 'post' | 'delete',
  path: string,
  endpoint: Endpoint,
  caller: 'page' | 'anyone',
  rule: RuleText | 'anyone',
  refused: string | null,
];

/** docs/console.md#endpoints */
// prettier-ignore
export const ENDPOINTS: readonly EndpointRow[] = [
  ['get', '/session', getSession, 'page', 'viewer: none', null],
  ['post', '/sign-in/code', signInByCode, 'page', 'anyone', 'sign_in.refused'],
  ['get', '/sign-in/oidc', startOidc, 'page', 'anyone', null],
  ['get', '/sign-in/oidc/callback', finishOidc, 'anyone', 'anyone', 'sign_in.refused'],
  ['post', '/sign-out', signOut, 'page', 'viewer: none', 'console_session.end_refused'],
  ['get', '/sign-out/oidc', endProviderSession, 'page', 'anyone', null],
  ['get', '/sessions', listSessions, 'page', 'viewer: none', null],
  ['delete', '/sessions/:id', endSession, 'page', 'viewer: none', 'console_session.end_refused'],
  ['post', '/app-token', createAppToken, 'page', 'viewer: users', 'app_token.issue_refused'],
];
