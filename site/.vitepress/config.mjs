import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { packagesPlugin } from '../../scripts/build/packages.ts';
import { slugify } from '../../scripts/site/slugify.ts';
import { namedBlocks } from './named-blocks.mjs';
import { styleAsText } from './style-as-text.mjs';
import { focusableTables } from './tables.mjs';

const sidebar = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'Parley',
  description: 'A messaging platform that an application hosts for itself.',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  // The icon is drawn here, so that nothing is asked for outside /docs.
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  // Otherwise every page would have the list of all pages in a script of its own.
  metaChunk: true,
  // It is not one of VitePress' pages.
  ignoreDeadLinks: [/^\/rest\//],
  // Of the scripts of the theme; the TypeScript of the repository is not for browsers.
  vite: { esbuild: { tsconfigRaw: '{}', jsx: 'automatic' }, plugins: [styleAsText(), packagesPlugin()] },
  markdown: {
    anchor: { slugify },
    // Braces in headings and at the end of paragraphs are text.
    attrs: { disable: true },
    // The high-contrast themes are those whose every colour is legible on our backgrounds.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { jsonl: 'json', text: 'txt' },
    config: (md) => {
      focusableTables(md);
      namedBlocks(md);
    },
  },
  themeConfig: {
    siteTitle: 'Parley',
    logo: '/icon.svg',
    nav: [
      { text: 'Quick start', link: '/guides/quick-start/' },
      { text: 'Library', link: '/guides/client-library/' },
      {
        text: 'Guides',
        link: '/guides/conversations-and-messages/',
        activeMatch: '^/guides/(?!quick-start|client-library)',
      },
      { text: 'REST', link: '/rest/', target: '_self', noIcon: true },
      { text: 'WebSocket', link: '/protocol/websocket/' },
      { text: 'Architecture', link: '/architecture/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: false } },
    externalLinkIcon: true,
  },
});
