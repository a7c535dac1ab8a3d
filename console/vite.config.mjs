import react from '@vitejs/plugin-react';
import { callFactsPlugin } from '../scripts/build/call-facts.ts';
import { packagesPlugin } from '../scripts/build/packages.ts';

/** Where `npm start` listens, for `vite` as a server of pages that are being written. */
const PLATFORM = 'http://127.0.0.1:8080';

/** @type {import('vite').UserConfig} */
export default {
  root: import.meta.dirname,
  base: '/console/',
  plugins: [callFactsPlugin(), react(), packagesPlugin()],
  logLevel: 'warn',
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    proxy: Object.fromEntries(
      [
        '/admin',
        '/apps',
        '/nonces',
        '/sessions',
        '/console/session',
        '/console/sign-',
        '/console/app-token',
      ].map((path) => [path, { target: PLATFORM, headers: { origin: PLATFORM } }]),
    ),
  },
};
