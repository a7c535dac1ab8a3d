import { html, type Html } from '../discovery/errors-page/html.ts';
import { STYLE_ELEMENT, STYLE_POLICY } from '../discovery/errors-page/style.ts';
import { createDocument, type Document } from '@parley/http/answers/document';
import type { LibraryBuild, LibraryFile } from './build.ts';

/** A file of the listing. `url` is permanent, `latest_url` leads to the current release. `use`: lines to paste. */
export type ListedFile = {
  name: string;
  url: string;
  latest_url: string;
  bytes: number;
  integrity: string;
  use: string;
};

/** The listing in two forms: for programs and for people. */
export type Listings = { json: Document; page: Document; pageHeaders: Record<string, string> };

/** `address`: the address of /library, without a trailing slash. */
export function createListings(build: LibraryBuild, address: string): Listings {
  const files = [...build.files.values()].map((file) =>
    describe(file, `${address}/${build.version}`, address),
  );
  const { version } = build;
  return {
    json: createDocument(JSON.stringify({ version, files }), 'application/json; charset=utf-8'),
    page: createDocument(pageOf(version, files), 'text/html; charset=utf-8'),
    pageHeaders: { 'content-security-policy': STYLE_POLICY },
  };
}

function describe({ name, integrity, document }: LibraryFile, release: string, latest: string): ListedFile {
  const url = `${release}/${name}`;
  return {
    name,
    url,
    latest_url: `${latest}/${name}`,
    bytes: document.bytes.length,
    integrity,
    use: useOf(name, { url, latest: `${latest}/${name}`, integrity }),
  };
}

/** Commands that run the packages which are programs. npx compares no hash, so the lines to paste do before they run one. */
function programs(platform: string): Readonly<Record<string, string>> {
  return {
    'create.tgz': `npx --yes ./create.tgz my-chat --url ${platform}`,
    'cli.tgz': 'npx --yes ./cli.tgz admin --help',
  };
}

type Address = { url: string; latest: string; integrity: string };

function useOf(name: string, { url, latest, integrity }: Address): string {
  if (name === 'embed.js') return embedding(url, integrity);
  if (name.endsWith('.js')) return importMap(MODULES[name] ?? name, url, integrity);
  const hex = Buffer.from(integrity.replace(/^sha384-/, ''), 'base64').toString('hex');
  const program = programs(new URL(latest).origin)[name];
  const file = program === undefined ? `vendor/${name}` : name;
  const check = `echo '${hex}  ${file}' | shasum -a 384 -c`;
  const fetched = `curl -fsS --create-dirs -o ${file} ${url}`;
  return `${fetched} && ${check} && ${program ?? `npm install ./${file}`}`;
}

/** Names under which pages import the modules, by file. */
const MODULES: Readonly<Record<string, string>> = {
  'client.js': '@parley/client',
  'react-ui.js': '@parley/react-ui',
};

/** Browsers compare the hash before a module runs. */
function importMap(module: string, url: string, integrity: string): string {
  const map = { imports: { [module]: url }, integrity: { [url]: integrity } };
  return `<script type="importmap">${JSON.stringify(map)}</script>
<script type="module">
  import { createClient } from '${module}';
</script>`;
}

/** Two lines, of which the application writes its own names into the second one. */
function embedding(url: string, integrity: string): string {
  const { origin } = new URL(url);
  return `<script type="module" src="${url}" integrity="${integrity}" crossorigin></script>
<parley-chat platform="${origin}" application="svc:///apps/…" token-endpoint="/identity-token"></parley-chat>`;
}

function pageOf(version: string, files: readonly ListedFile[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Library</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${{ html: STYLE_ELEMENT }}
      </head>
      <body>
        <main>
          <h1>The client library of Parley ${version}</h1>
          <p>
            Applications keep the tarballs in their own folder <code>vendor</code>, since a lock file names
            the address and the hash of what it installs, and this platform will be upgraded. The
            <a href="/docs/guides/quick-start/">quick start</a> shows how to use them.
          </p>
          ${files.map(sectionOf)}
        </main>
      </body>
    </html>`.html;
}

function sectionOf({ name, url, bytes, integrity, use }: ListedFile): Html {
  return html`<section id="${name}">
    <h2><a href="${url}">${name}</a></h2>
    <p>${Math.ceil(bytes / 1024)} KiB, <code>${integrity}</code></p>
    <pre>${use}</pre>
  </section>`;
}
