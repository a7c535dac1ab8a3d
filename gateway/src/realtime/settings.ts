import { bool, int } from '@parley/kit/runtime/config/env';
import { sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

export const realtimeSettings = {
  liveShards: sharedSettings.liveShards,
  webSocketCompression: setting(
    'PARLEY_WEBSOCKET_COMPRESSION',
    bool({ default: false }),
    'Whether sockets use permessage-deflate with clients that offer it. A socket takes 12 KiB of memory without it, and 115 to 130 KiB with it once a packet of more than 1 KiB has passed (1,000 sockets measured).',
  ),
  replayStallSeconds: setting(
    'PARLEY_REPLAY_STALL_SECONDS',
    int({ min: 1, max: 600 })({ default: 10 }),
    'Seconds that a client may read nothing of a replay before its socket is closed.',
  ),
  maxStatusesInFrame: setting(
    'PARLEY_MAX_STATUSES_IN_FRAME',
    int({ min: 1, max: 100_000 })({ default: 50 }),
    'Entries of `recipient_status` in a live message.',
  ),
  maxPresencePairs: setting(
    'PARLEY_MAX_PRESENCE_PAIRS',
    int({ min: 1, max: 100_000_000 })({ default: 500_000 }),
    'Pairs of a subscriber to presence and a watched user that one application may have in this process.',
  ),
  maxPresenceIds: setting(
    'PARLEY_MAX_PRESENCE_IDS',
    int({ min: 1, max: 10_000 })({ default: 1_000 }),
    'Users whom one `Presence.subscribe` or `Presence.sync` may name, and whom one socket subscribes to by name.',
  ),
};

export type RealtimeConfig = ConfigOf<typeof realtimeSettings>;
