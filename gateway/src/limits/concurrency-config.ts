import { int } from '@parley/kit/env';
import type { ConcurrencyConfig } from './concurrency.ts';

const figure = int({ min: 1, max: 1_000_000 });

/** What may be under way at one gateway. PARLEY_RATE_LIMIT_FACTOR does not multiply these. */
export const concurrencyVariables = {
  PARLEY_MAX_LISTS_PER_USER: figure({ default: 8 }),
  PARLEY_MAX_LISTS_PER_APP: figure({ default: 16 }),
  PARLEY_MAX_PATCHES_PER_USER: figure({ default: 4 }),
  PARLEY_MAX_PATCHES_PER_APP: figure({ default: 16 }),
  PARLEY_MAX_ANNOUNCEMENTS_PER_APP: figure({ default: 4 }),
  PARLEY_MAX_ERASURES_PER_APP: figure({ default: 4 }),
  PARLEY_MAX_EXPORT_REQUESTS_PER_TOKEN: figure({ default: 1 }),
  PARLEY_MAX_EXPORT_REQUESTS_PER_APP: figure({ default: 2 }),
  PARLEY_MAX_REPLAYS_PER_SOCKET: figure({ default: 2 }),
  PARLEY_MAX_REPLAYS_PER_USER: figure({ default: 4 }),
  PARLEY_MAX_REPLAYS_PER_APP: figure({ default: 16 }),
  PARLEY_MAX_REPLAYS: figure({ default: 100 }),
};

type Figures = { [Name in keyof typeof concurrencyVariables]: number };

export function concurrencyOf(env: Figures): ConcurrencyConfig {
  return {
    lists: { perUser: env.PARLEY_MAX_LISTS_PER_USER, perApp: env.PARLEY_MAX_LISTS_PER_APP },
    patches: { perUser: env.PARLEY_MAX_PATCHES_PER_USER, perApp: env.PARLEY_MAX_PATCHES_PER_APP },
    announcementsPerApp: env.PARLEY_MAX_ANNOUNCEMENTS_PER_APP,
    erasuresPerApp: env.PARLEY_MAX_ERASURES_PER_APP,
    exports: {
      perToken: env.PARLEY_MAX_EXPORT_REQUESTS_PER_TOKEN,
      perApp: env.PARLEY_MAX_EXPORT_REQUESTS_PER_APP,
    },
    replays: {
      perSocket: env.PARLEY_MAX_REPLAYS_PER_SOCKET,
      perUser: env.PARLEY_MAX_REPLAYS_PER_USER,
      perApp: env.PARLEY_MAX_REPLAYS_PER_APP,
      all: env.PARLEY_MAX_REPLAYS,
    },
  };
}
