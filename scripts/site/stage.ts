// Writes what VitePress makes the site of: `site/pages`, from the documents of the repository.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../build/paths.ts';
import { errorsPage } from './errors.ts';
import { LIBRARY_ENTRIES, referenceRoute } from './library-entries.ts';
import { withSiteLinks } from './links.ts';
import { FRONT_PAGE, routeOf, SOURCES } from './routes.ts';
import { sidebarOf } from './sidebar.ts';
import { withTables } from './tables.ts';
import { webhookEvents } from './webhook-events.ts';

const FOLDER = path.join(REPOSITORY, 'site', 'pages');

function contentOf(file: string): string {
  const text = readFileSync(path.join(REPOSITORY, file), 'utf8');
  if (file.endsWith('.sh')) return `# ${path.basename(file)}\n\n\`\`\`sh\n${text}\`\`\`\n`;
  return withSiteLinks(withTables(text, readBeside(file)), file);
}

/** Reads a file by its path from the folder of another one. */
function readBeside(file: string): (name: string) => string {
  return (name) => readFileSync(path.join(REPOSITORY, path.dirname(file), name), 'utf8');
}

/** The pages that are made of the repository's documents, and those that belong to the site alone. */
function collectPages(): Map<string, string> {
  const pages = new Map<string, string>();
  for (const file of globSync(SOURCES, { cwd: REPOSITORY }).sort()) {
    const route = routeOf(file);
    if (file !== FRONT_PAGE && route !== undefined) pages.set(route, contentOf(file));
  }
  pages.set('', readFileSync(path.join(REPOSITORY, 'site', 'home.md'), 'utf8'));
  pages.set('errors', errorsPage());
  pages.set('webhook-events', webhookEvents());
  return pages;
}

function titleOf(text: string): string {
  const heading = /^# (.+)$/m.exec(text) ?? /^title: (.+)$/m.exec(text);
  return (heading?.[1] ?? '').replaceAll('`', '');
}

function stage(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  const pages = collectPages();
  for (const [route, text] of pages) {
    const file = path.join(FOLDER, route, 'index.md');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const titles = new Map([...pages].map(([route, text]) => [route, titleOf(text)]));
  // Written by `reference.ts`, when the site is built.
  for (const { name } of LIBRARY_ENTRIES) titles.set(referenceRoute(name), name);
  writeFileSync(path.join(FOLDER, 'sidebar.json'), JSON.stringify(sidebarOf(titles)));
  const served = path.join(FOLDER, 'public');
  cpSync(path.join(REPOSITORY, 'site', 'public'), served, { recursive: true });
  const images = path.join(REPOSITORY, 'docs', 'images');
  if (existsSync(images)) cpSync(images, path.join(served, 'images'), { recursive: true });
}

stage();
