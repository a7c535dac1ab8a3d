import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const REPOSITORY = path.join(import.meta.dirname, '../../..');

/** Source files in these folders that match the text, without tests. */
function filesWith(text: RegExp, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('/testing/'))
    .filter((name) => text.test(readFileSync(path.join(REPOSITORY, name), 'utf8')))
    .sort();
}

test('what users see is rendered for one kind of view, which knows the open fields of identities', () => {
  const views = filesWith(/audience: 'client'/, ['gateway/src']);
  expect(views).toEqual(['gateway/src/admission/client-view.ts']);
});

test('private fields of identities are shown in one place', () => {
  const shown = filesWith(/[.](phoneNumber|emailAddress)\b/, ['gateway/src', 'packages/domain/src/json']);
  expect(shown).toEqual(['packages/domain/src/json/identity.ts']);
});
