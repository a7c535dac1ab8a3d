import type { PartRules } from '@parley/domain/parse/part';
import type { GatewayContext } from '../../context.ts';
import type { ApiRequest } from './route.ts';

/** What the parts of a request are read by, as the app set it. */
export function partRulesOf({ wire, auth }: GatewayContext, { appId }: Pick<ApiRequest, 'appId'>): PartRules {
  return { wire, inlineBodyBytes: auth.inlineBodyBytesOf(appId) };
}
