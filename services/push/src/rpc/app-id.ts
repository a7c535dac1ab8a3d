import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import { NATIVE_PROVIDERS, type NativeProvider } from '../provider/route.ts';

/** The bare id of an application, which the gateway has looked up. Problems: not_found. */
export function requireAppId(appUuid: string): string {
  return isUuid(appUuid) ? appUuid : failNotFound('app', appUuid);
}

/** Problems: missing_property, invalid_property. */
export function requireProvider(name: string): NativeProvider {
  if (name === '')
    return fail('missing_property', { property: 'provider', message: 'provider is required.' });
  const provider = NATIVE_PROVIDERS.find((one) => one === name);
  const message = `provider must be ${NATIVE_PROVIDERS.join(' or ')}.`;
  return provider ?? fail('invalid_property', { property: 'provider', message });
}
