import type { ApiRoute } from '../api/routes.ts';

/**
 * The media types of a route's answers. The first is what `Accept` must name; generated clients take it from here, since
 * OpenAPI has no parameter of the name Accept. The second is what `Content-Type` of the answer says.
 */
export function mediaTypesOf({ accept = 'api' }: Pick<ApiRoute, 'accept'>): readonly string[] {
  if (accept === 'any') return ['application/json'];
  const kind = accept === 'webhooks' ? 'svc.webhooks' : 'svc';
  return [`application/vnd.${kind}+json; version=3.0`, 'application/json'];
}

/** The media types of a route's body. */
export function bodyMediaTypesOf(
  { method }: Pick<ApiRoute, 'method'>,
  isPatchArray: boolean,
): readonly string[] {
  return method === 'PATCH' && isPatchArray
    ? ['application/vnd.svc-patch+json', 'application/json']
    : ['application/json'];
}
