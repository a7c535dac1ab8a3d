import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY, rowsOf, sectionOf } from './page.ts';

/** Folders of the map in the README, without slashes at their ends. */
const mapped = rowsOf(sectionOf(readText('README.md'), 'Map of the tree')).map(([folder = '']) =>
  folder.replace(/\/$/, ''),
);

function foldersIn(folder: string): string[] {
  return readdirSync(path.join(REPOSITORY, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .map(({ name }) => path.posix.join(folder, name));
}

test('the map of the tree is the tree, with each package by itself', () => {
  const folders = [...foldersIn('packages'), ...foldersIn('.').filter((name) => name !== 'packages')];
  expect(folders.length).toBeGreaterThan(15);
  expect(mapped.toSorted()).toEqual(folders.toSorted());
});
