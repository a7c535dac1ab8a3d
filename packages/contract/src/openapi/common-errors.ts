import type { ErrorId } from '../errors.ts';
import type { Description } from '../api/operation.ts';
import type { ApiRoute } from '../api/routes.ts';
import { isRepeatable, takesBody } from './route.ts';
import { takesIdFromHeader } from './request-headers.ts';

type Common = Omit<ApiRoute, keyof Description>;

/** The errors that every route of this kind may answer. */
export function commonErrors(route: Common): ErrorId[] {
  return [
    // Also for a malformed request, a path that is not percent-encoded UTF-8, and a method that cannot be overridden.
    'invalid_request',
    'request_timeout',
    'internal_server_error',
    ...(isAnsweredAlone(route) ? [] : (['service_unavailable'] as const)),
    ...(route.accept === 'any' ? [] : (['invalid_header'] as const)),
    ...(takesBody(route) ? (['request_entity_too_large'] as const) : []),
    ...errorsOfAuthentication(route),
    ...(route.emptyNotFound ? (['not_found'] as const) : []),
    ...(isRepeatable(route) ? (['conflict', 'invalid_property'] as const) : []),
    ...(takesIdFromHeader(route) ? (['invalid_request_id'] as const) : []),
  ];
}

/** Whether the gateway answers without any service. */
function isAnsweredAlone({ auth, accept }: Common): boolean {
  return auth === 'none' && accept === 'any';
}

/** An origin that the app does not allow is `access_denied`; an app other than the token's is `not_found`. */
function errorsOfAuthentication({ auth, asUser }: Common): ErrorId[] {
  // Counts for its address.
  if (auth === 'none') return ['rate_limit_exceeded'];
  return [
    'authentication_required',
    'app_suspended',
    'access_denied',
    'rate_limit_exceeded',
    ...(auth === 'bearer' ? (['not_found'] as const) : []),
    ...(asUser ? (['user_suspended'] as const) : []),
  ];
}
