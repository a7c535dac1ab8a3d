import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

test('every link to a user names them as a path does', () => {
  const folder = path.resolve(import.meta.dirname, '../../console/src');
  const links = globSync('**/*.tsx', { cwd: folder }).flatMap((file) =>
    [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(
        /'?"?\/apps\/\$app\/users\/\$user["'][^}]*params[=:][^}]*\buser: ([^ ,}]+)/g,
      ),
    ].map(([, name]) => `${file}: ${name}`),
  );
  expect(links.length).toBeGreaterThanOrEqual(2);
  expect(links.filter((link) => !link.includes(': userName('))).toEqual([]);
});
