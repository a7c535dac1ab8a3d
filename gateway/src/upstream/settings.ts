import { rpcAddress } from '@parley/kit/runtime/config/env';
import { sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

/** Addresses of the services and their contents. */
export const upstreamSettings = {
  identityAddress: sharedSettings.identityAddress,
  messagingAddress: sharedSettings.messagingAddress,
  pushAddress: sharedSettings.pushAddress,
  webhookAddress: setting('PARLEY_WEBHOOK_ADDRESS', rpcAddress(), "The webhook service's gRPC address."),
  exportAddress: setting('PARLEY_EXPORT_ADDRESS', rpcAddress(), "The export service's gRPC address."),
  contentAddress: sharedSettings.contentAddress,
  announcementAddress: setting(
    'PARLEY_ANNOUNCEMENT_ADDRESS',
    rpcAddress(),
    "The announcement service's gRPC address.",
  ),
  contentUrl: sharedSettings.contentUrl,
  contentSecret: sharedSettings.contentSecret,
};

export type UpstreamConfig = ConfigOf<typeof upstreamSettings>;
