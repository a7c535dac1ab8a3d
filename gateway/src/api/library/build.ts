import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createDocument, type Document } from '@parley/http/answers/document';

/** A file that the platform serves to applications. */
export type LibraryFile = {
  name: string;
  /** A Subresource Integrity hash. */
  integrity: string;
  document: Document;
};

/** Output of `npm run generate -- library` for one release. */
export type LibraryBuild = { version: string; files: ReadonlyMap<string, LibraryFile> };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.tgz': 'application/gzip',
};

type Listing = { version: string; files: { name: string; integrity: string }[] };

/** Reads a build, whose files stay in memory. Fails if the folder has no complete one. */
export async function readBuild(folder: string): Promise<LibraryBuild> {
  const listing = JSON.parse(await readFile(path.join(folder, 'library.json'), 'utf8')) as Listing;
  const files = await Promise.all(
    listing.files.map(async ({ name, integrity }) => {
      const bytes = await readFile(path.join(folder, name));
      const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
      return { name, integrity, document: createDocument(bytes, type) };
    }),
  );
  return { version: listing.version, files: new Map(files.map((file) => [file.name, file])) };
}
