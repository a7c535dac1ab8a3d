import type { PartRules } from '@parley/domain/parse/part';
import type { Uses } from '../context.ts';
import type { ApiRequest } from './route.ts';

/** The rules for parsing parts, with the app's settings. */
export function partRulesOf(
  { wire, auth }: Uses<'auth' | 'wire'>,
  { appId }: Pick<ApiRequest, 'appId'>,
): PartRules {
  return { wire, inlineBodyBytes: auth.inlineBodyBytesOf(appId) };
}
