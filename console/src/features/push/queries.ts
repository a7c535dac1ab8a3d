import { queryOptions } from '@tanstack/react-query';
import { PUSH_ADMIN } from '../../api/push-admin.ts';

/** A push service that takes credentials of an application. */
export type PushProvider = 'fcm' | 'apns';

export function credentialsQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['push-credentials', appUuid],
    queryFn: async () => (await PUSH_ADMIN.getPushCredentials({ appUuid })).credentials,
  });
}
