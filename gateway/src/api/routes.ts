import { ROUTES as API, type ApiRoute } from '@parley/contract/api/routes';
import { ruleOf, type OperatorRule } from '@parley/administration/roles';
import { HANDLERS } from './handlers.ts';
import type { Route } from './request/route.ts';
import { keyScopeOfLogin } from './sessions.ts';

const KEY_SCOPES = { login: keyScopeOfLogin } as const;

/** The operations of the contract with their handlers. */
export const ROUTES: readonly Route[] = API.map(({ keyOwner, ...route }) => ({
  ...route,
  operator: operatorRule(route),
  keyScope: keyOwner && KEY_SCOPES[keyOwner],
  handle: HANDLERS[route.id],
}));

/** A person of the console who acts as a user is always recorded in the audit log. */
function operatorRule({ operator, method, asUser }: ApiRoute): OperatorRule | undefined {
  if (operator === null) return undefined;
  const rule = ruleOf(operator, method !== 'GET');
  return asUser ? { ...rule, recorded: method === 'GET' ? 'read' : 'call' } : rule;
}
