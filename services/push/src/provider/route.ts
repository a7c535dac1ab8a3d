import { knownPushHost } from '@parley/domain/push-hosts';
import type { Config } from '../config.ts';

/** The push services that pushes are sent by. */
export type Provider = 'web' | NativeProvider;

/** The push services of phones, by which an application sends with credentials of its own. */
export const NATIVE_PROVIDERS = ['fcm', 'apns'] as const;
export type NativeProvider = (typeof NATIVE_PROVIDERS)[number];

/** How a token is reached. `target`: the name of its turns within the application. */
export type Route = { provider: Provider; target: string };

const OTHER = 'web other';

/** The route of a token; undefined when this service has none for its type. */
export function routeOf(
  { webHosts }: Pick<Config, 'webHosts'>,
  { type, token }: { type: string; token: string },
): Route | undefined {
  const provider = providerOf(type);
  if (provider !== 'web') return provider && { provider, target: provider };
  const pattern = knownPushHost(webHosts, token);
  return { provider: 'web', target: pattern === undefined ? OTHER : `web ${pattern}` };
}

/** Push service for tokens of a type; `gcm` is an old name of `fcm`. */
export function providerOf(type: string): Provider | undefined {
  if (type === 'web' || type === 'apns') return type;
  return type === 'fcm' || type === 'gcm' ? 'fcm' : undefined;
}
