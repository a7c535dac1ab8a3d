import {
  baseUrl,
  optionalListenPort,
  secret,
  secrets,
  secureOrigin,
  str,
} from '@parley/kit/runtime/config/env';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import { rateSetting } from '@parley/http/limits/settings';
import { oidcSettings } from './oidc/settings.ts';

/** The gateway reads it wherever the console's server runs: it allows calls of the console's pages. */
export const consoleUrlSetting = setting(
  'PARLEY_CONSOLE_URL',
  secureOrigin({ default: undefined }),
  'Origin by which browsers reach the console. Default: that of `PARLEY_PUBLIC_URL` if it is of this machine; otherwise there is no console.',
);

export const consoleSettings = {
  adminToken: setting('PARLEY_ADMIN_TOKEN', secret(), 'Bearer token of the administration API.'),
  acceptedAdminTokens: setting(
    'PARLEY_ADMIN_ACCEPTED_TOKENS',
    secrets({ default: [] }),
    'Values besides `PARLEY_ADMIN_TOKEN` that callers may have while it is [rotated](operations.md#rotate-a-secret).',
  ),
  siteFolder: setting(
    'PARLEY_SITE_FOLDER',
    str({ default: undefined }),
    'Folder of the built documentation (`npm run generate -- site`), which is served at `/docs`. Without it there is `/docs/errors` alone.',
  ),
  siteLoginUrl: setting(
    'PARLEY_SITE_LOGIN_URL',
    baseUrl({ default: undefined }),
    'Login backend of a demonstration application, where readers of the REST reference log in to try requests. For laptops.',
  ),
  consoleFolder: setting(
    'PARLEY_CONSOLE_FOLDER',
    str({ default: undefined }),
    'Folder of the built console, which is served at `/console/`. Without it there is sign-in alone.',
  ),
  consolePort: setting(
    'PARLEY_CONSOLE_PORT',
    optionalListenPort({ default: -1 }),
    'Port of the console and the administration API, in a process of their own also of the documentation; -1, for the gateway alone: none.',
  ),
  oidc: oidcSettings,
  signIn: rateSetting(
    'PARLEY_RATE_LIMIT_SIGN_IN',
    { perSecond: 1, burst: 20 },
    'Requests that sign in to the console from one address',
  ),
};

/** Settings of the console's server, and those that it has in common with the gateway. */
export type ConsoleConfig = ConfigOf<typeof consoleSettings> &
  Readonly<{
    publicUrl: string;
    contentUrl: string;
    /** Undefined: there is no console. */
    consoleUrl: string | undefined;
  }>;
