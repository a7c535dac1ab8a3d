import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inBundle, type Locate } from './self-times.ts';

/** Finds functions of bundles in the sources that they were made of, by the source maps beside the bundles. */
export function createLocate(): Locate {
  const maps = new Map<string, SourceMap | undefined>();
  return (frame) => {
    const { url, lineNumber, columnNumber } = frame;
    if (!maps.has(url)) maps.set(url, readMap(url));
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return inBundle(frame);
    return `${shorten(entry.originalSource)}:${entry.originalLine + 1}`;
  };
}

function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith('file:')) return undefined;
  const file = `${fileURLToPath(url)}.map`;
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
}

// Of a package its name and the path in it; of the repository's sources the path from its root.
function shorten(source: string): string {
  const inPackage = source.lastIndexOf('node_modules/');
  return inPackage < 0 ? source.replace(/^(\.\.\/)+/, '') : source.slice(inPackage + 'node_modules/'.length);
}
