import { queryOptions } from '@tanstack/react-query';
import { ADMIN } from '../../api/admin.ts';

export function providersQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['providers', appUuid],
    queryFn: async () => (await ADMIN.listProviders({ appUuid })).providers,
  });
}

export function keysQuery(providerId: string) {
  return queryOptions({
    queryKey: ['keys', providerId],
    queryFn: async () => (await ADMIN.listKeys({ providerId })).keys,
  });
}

export function tokensQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['access-tokens', appUuid],
    queryFn: async () => (await ADMIN.listAccessTokens({ appUuid })).accessTokens,
  });
}
