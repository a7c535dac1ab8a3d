import { int } from '@parley/kit/runtime/config/env';
import { sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

const rateFigure = int({ min: 1, max: 1_000_000_000 });

type Rate = { perSecond: number; burst: number };

/** Two variables: how many a second, and how many at once. */
export function rateSetting(variable: string, { perSecond, burst }: Rate, counted: string) {
  return {
    perSecond: setting(variable, rateFigure({ default: perSecond }), `${counted}, for each second.`),
    burst: setting(`${variable}_BURST`, rateFigure({ default: burst }), `${counted}, at once.`),
  };
}

/** Limits of every public listener, and what multiplies the rates. docs/limits.md */
export const addressLimitSettings = {
  factor: sharedSettings.rateLimitFactor,
  address: rateSetting(
    'PARLEY_RATE_LIMIT_ADDRESS',
    { perSecond: 20, burst: 100 },
    'Requests without a session from one address',
  ),
  failedToken: rateSetting(
    'PARLEY_RATE_LIMIT_FAILED_TOKEN',
    { perSecond: 20, burst: 100 },
    'Requests with a wrong token from one address',
  ),
  refusal: rateSetting(
    'PARLEY_RATE_LIMIT_REFUSAL',
    { perSecond: 100, burst: 500 },
    'Refusals of one user by sockets, and of one user, access token or address by HTTP',
  ),
  trustedProxies: sharedSettings.trustedProxies,
};

export type AddressLimitsConfig = ConfigOf<typeof addressLimitSettings>;
