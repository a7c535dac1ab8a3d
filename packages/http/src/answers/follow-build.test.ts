import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { followBuild } from './follow-build.ts';

const home = mkdtempSync(path.join(tmpdir(), 'parley-builds-'));
afterAll(() => rmSync(home, { recursive: true }));

function follow() {
  const place = mkdtempSync(path.join(home, 'place-'));
  const link = path.join(place, 'current');
  const broken: string[] = [];
  const current = followBuild(link, {
    open: (folder) => readFile(path.join(folder, 'build.txt'), 'utf8'),
    onBroken: (folder) => void broken.push(path.basename(folder)),
  });
  const pointTo = (name: string) => {
    mkdirSync(path.join(place, name), { recursive: true });
    symlinkSync(name, `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  const write = (name: string, text: string) => writeFile(path.join(place, name, 'build.txt'), text);
  return { current, broken, pointTo, write };
}

test('the build is that to which the link leads at the time', async () => {
  const { current, broken, pointTo, write } = follow();
  expect(await current()).toBeUndefined();
  pointTo('first');
  await write('first', 'one');
  expect(await current()).toBe('one');
  pointTo('second');
  await write('second', 'two');
  expect(await current()).toBe('two');
  expect(broken).toEqual([]);
});

test('a broken build is reported once, and looked at again', async () => {
  const { current, broken, pointTo, write } = follow();
  pointTo('first');
  expect([await current(), await current()]).toEqual([undefined, undefined]);
  expect(broken).toEqual(['first']);
  await write('first', 'one');
  expect(await current()).toBe('one');
});
