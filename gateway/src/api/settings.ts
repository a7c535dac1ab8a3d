import { bool, list, str } from '@parley/kit/runtime/config/env';
import { sharedSettings } from '@parley/kit/runtime/config/service-settings';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';

const origins = list<string>('an origin, or `*` for all', (entry) => entry);

export const apiSettings = {
  allowedOrigins: setting(
    'PARLEY_ALLOWED_ORIGINS',
    origins({ default: ['*'] }),
    'Origins that browsers may call from.',
  ),
  compression: setting(
    'PARLEY_COMPRESSION',
    bool({ default: true }),
    'Whether answers of more than 1024 bytes are compressed for clients that ask for it (zstd, br, gzip).',
  ),
  libraryFolder: setting(
    'PARLEY_LIBRARY_FOLDER',
    str({ default: undefined }),
    'Folder of the built client library (`npm run generate -- library`), which is served at `/library/`. Without it there is none.',
  ),
  library: setting(
    'PARLEY_LIBRARY',
    bool({ default: true }),
    'Whether the library is served to anybody who asks for it.',
  ),
  liveShards: sharedSettings.liveShards,
};

/** `allowedOrigins` undefined: every origin is allowed. `contentUrl`: the address that the content service uses. */
export type ApiConfig = Omit<ConfigOf<typeof apiSettings>, 'allowedOrigins'> &
  Readonly<{ publicUrl: string; contentUrl: string; allowedOrigins: readonly string[] | undefined }>;
