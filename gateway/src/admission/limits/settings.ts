import { addressLimitSettings, rateSetting } from '@parley/http/limits/settings';
import { int } from '@parley/kit/runtime/config/env';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

const concurrencyFigure = int({ min: 1, max: 1_000_000 });

function concurrency(variable: string, underWay: number, counted: string) {
  return setting(variable, concurrencyFigure({ default: underWay }), `${counted}, under way at one gateway.`);
}

/** Concurrency limits of one gateway. PARLEY_RATE_LIMIT_FACTOR does not multiply them. */
const concurrencySettings = {
  lists: {
    perUser: concurrency('PARLEY_MAX_LISTS_PER_USER', 8, 'Lists of one user'),
    perApp: concurrency('PARLEY_MAX_LISTS_PER_APP', 16, 'Lists of one application'),
  },
  patches: {
    perUser: concurrency('PARLEY_MAX_PATCHES_PER_USER', 4, 'Changes of conversations by one user'),
    perApp: concurrency('PARLEY_MAX_PATCHES_PER_APP', 16, 'Changes of conversations in one application'),
  },
  announcementsPerApp: concurrency(
    'PARLEY_MAX_ANNOUNCEMENTS_PER_APP',
    4,
    'Requests of one application that create announcements',
  ),
  erasuresPerApp: concurrency(
    'PARLEY_MAX_ERASURES_PER_APP',
    4,
    'Requests of one application that erase users',
  ),
  exports: {
    perToken: concurrency(
      'PARLEY_MAX_EXPORT_REQUESTS_PER_TOKEN',
      1,
      'Requests with one access token that begin exports',
    ),
    perApp: concurrency(
      'PARLEY_MAX_EXPORT_REQUESTS_PER_APP',
      2,
      'Requests of one application that begin exports',
    ),
  },
  replays: {
    perSocket: concurrency('PARLEY_MAX_REPLAYS_PER_SOCKET', 2, 'Replays on one socket'),
    perUser: concurrency('PARLEY_MAX_REPLAYS_PER_USER', 4, 'Replays of one user'),
    perApp: concurrency('PARLEY_MAX_REPLAYS_PER_APP', 16, 'Replays of one application'),
    all: concurrency('PARLEY_MAX_REPLAYS', 100, 'Replays of all applications'),
  },
};

/** Every limit of the gateway, and the factors of the rates. docs/limits.md */
export const limitSettings = {
  ...addressLimitSettings,
  session: rateSetting(
    'PARLEY_RATE_LIMIT_SESSION',
    { perSecond: 100, burst: 500 },
    'Requests of one session',
  ),
  accessToken: rateSetting(
    'PARLEY_RATE_LIMIT_ACCESS_TOKEN',
    { perSecond: 1_000, burst: 5_000 },
    'Requests with one access token',
  ),
  upgrade: rateSetting(
    'PARLEY_RATE_LIMIT_UPGRADE',
    { perSecond: 2, burst: 30 },
    'WebSocket upgrades of one session',
  ),
  upgradeAddress: rateSetting(
    'PARLEY_RATE_LIMIT_UPGRADE_ADDRESS',
    { perSecond: 50, burst: 500 },
    'WebSocket upgrades from one address',
  ),
  userSearch: rateSetting(
    'PARLEY_RATE_LIMIT_USER_SEARCH',
    { perSecond: 10, burst: 10 },
    'Searches for users of one session',
  ),
  concurrency: concurrencySettings,
  maxSocketsPerUser: setting(
    'PARLEY_MAX_SOCKETS_PER_USER',
    int({ min: 1, max: 100_000 })({ default: 20 }),
    'Sockets of one user at one gateway.',
  ),
};

export type LimitsConfig = ConfigOf<typeof limitSettings>;
export type ConcurrencyConfig = LimitsConfig['concurrency'];
