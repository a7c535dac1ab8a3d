import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');

test('every package names the license whose text is in LICENSE', () => {
  const exclude = (name: string) => /(^|\/)(node_modules|dist|gen)(\/|$)/.test(name);
  const manifests = globSync('**/package.json', { cwd: repository, exclude });
  expect(manifests.length).toBeGreaterThan(10);
  const others = manifests.filter(
    (file) => (JSON.parse(read(file)) as { license?: string }).license !== 'Apache-2.0',
  );
  expect(others).toEqual([]);
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
  expect(read('LICENSE')).toContain('Copyright 2026 The Parley authors');
});
