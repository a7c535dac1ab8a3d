import type { Client } from '../api/client.ts';

/** A token of the device, as `getDevicePushTokenAsync` of `expo-notifications` gives it. */
export type DevicePushToken = {
  /** `ios` or `apns`: of Apple's service; `android` or `fcm`: of Firebase. */
  readonly type: string;
  readonly data: unknown;
};

const SERVICES: Readonly<Record<string, 'apns' | 'fcm'>> = {
  ios: 'apns',
  apns: 'apns',
  android: 'fcm',
  fcm: 'fcm',
};

/**
 * Has the platform send pushes to this device until `logout`. Call it when the user has allowed them, at every start, and when the
 * operating system gives another token, which takes the place of the one before.
 *
 * @param client The client of the user.
 * @param token The token of the device; with Firebase alone `{ type: 'fcm', data: await getToken() }`.
 * @param options `deviceId`: names the device; by default the client makes a name, and keeps it.
 * @throws TypeError if the token is of another service; ParleyError what the platform answers, or `network_error`.
 * @example
 * await registerDevicePush(client, await Notifications.getDevicePushTokenAsync());
 * Notifications.addPushTokenListener((token) => void registerDevicePush(client, token));
 */
export async function registerDevicePush(
  client: Pick<Client, 'push'>,
  { type, data }: DevicePushToken,
  { deviceId }: { readonly deviceId?: string } = {},
): Promise<void> {
  const service = Object.hasOwn(SERVICES, type) ? SERVICES[type] : undefined;
  if (!service || typeof data !== 'string')
    throw new TypeError(`There are no pushes to a device by ${type}.`);
  await client.push.register({ token: data, type: service, ...(deviceId !== undefined && { deviceId }) });
}
