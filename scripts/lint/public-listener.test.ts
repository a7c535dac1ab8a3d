import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS: Readonly<Record<string, string>> = { proto: 'proto', 'console-server': 'console/server' };

/** The source file that an import leads to; undefined: it is a package of npm or of Node. */
function sourceOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier);
  const [, name = '', rest = ''] = /^@parley\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === '') return undefined;
  const file = path.join(ROOT, FOLDERS[name] ?? `packages/${name}`, 'src', rest);
  return isFile(`${file}.ts`) ? `${file}.ts` : path.join(file, 'index.ts');
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** All files that some files import, at any depth, for types too; and the packages that they name. */
function importsOf(entries: readonly string[]) {
  const files = new Set(entries.map((entry) => path.join(ROOT, entry)));
  const packages = new Set<string>();
  for (const file of files) {
    for (const { fileName: specifier } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      const source = sourceOf(file, specifier);
      if (source === undefined) packages.add(specifier);
      else if (isFile(source)) files.add(source);
    }
  }
  return { files: [...files].map((file) => path.relative(ROOT, file)), packages: [...packages] };
}

test('the public listener and the sockets import no code of operators', () => {
  const { files, packages } = importsOf([
    'gateway/src/api/http/server.ts',
    'gateway/src/realtime/socket/index.ts',
  ]);
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => file.startsWith('console/'))).toEqual([]);
  expect(packages.filter((name) => /^(express|cookie|jose|openid-client)/.test(name))).toEqual([]);
});

test('the gateway’s process imports the console’s server, which it may mount', () => {
  const { files } = importsOf(['gateway/src/main.ts']);
  expect(files).toContain('console/server/src/app.ts');
});

test('the console’s server apart imports nothing of the gateway', () => {
  const { files } = importsOf(['console/server/src/main.ts']);
  expect(files.filter((file) => file.startsWith('gateway/'))).toEqual([]);
});
