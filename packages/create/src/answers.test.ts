import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addressOfTarball, originOf } from './address.ts';
import { checkId } from './application.ts';
import { codeIn, originOfLink } from './console.ts';
import { packageNameOf } from './folder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-npx-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of the package in the project that npx makes for it. */
function installedFrom(tarball: string): string {
  const installed = path.join(folder, 'node_modules', '@parley', 'create');
  mkdirSync(installed, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ dependencies: { '@parley/create': tarball } }),
  );
  return installed;
}

test.each([
  ['http://10.0.0.5:8080/library/create.tgz', 'http://10.0.0.5:8080'],
  ['https://chat.example.com/library/0.2.0/create.tgz', 'https://chat.example.com'],
  ['https://chat.example.com/library/0.2.0/create.tgz?aB3%3D', 'https://chat.example.com'],
  ['file:create.tgz', 'http://localhost:8080'],
  ['0.2.0', 'http://localhost:8080'],
])('from %s the platform is taken to be at %s', (tarball, address) => {
  expect(addressOfTarball(installedFrom(tarball))).toBe(address);
});

test.each([
  ['localhost:8080', 'http://localhost:8080'],
  ['https://chat.example.com/docs/', 'https://chat.example.com'],
])('%s is the platform at %s', (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});

test.each(['', 'file:///etc/passwd', 'javascript://x', 'http://'])('"%s" is no address', (typed) => {
  expect(() => originOf(typed)).toThrow('is no address');
});

test.each([
  'http://127.0.0.1:8080/console/sign-in#code=aB_3-x',
  'Console: http://127.0.0.1:8080/console/sign-in#code=aB_3-x (once, within 10 minutes)',
  ' aB_3-x\n',
])('the code is found in "%s"', (typed) => {
  expect(codeIn(typed)).toBe('aB_3-x');
});

test.each([
  ['my-chat', 'my-chat'],
  ['/tmp/My Chat!', 'my-chat'],
  ['../..__--', 'my-chat'],
  ['node_modules', 'my-chat'],
  ['x"; rm -rf ~ #', 'x-rm-rf'],
  ['-'.repeat(100_000), 'my-chat'],
])('a folder %.20s makes the package %s', (name, expected) => {
  expect(packageNameOf(name)).toBe(expected);
});

test.each([
  '',
  '0199',
  'svc:///providers/0199',
  'svc:///apps/x/0199\nNODE_OPTIONS=--require=x',
  'svc:///apps/$(x)/0199',
])('the id %j of an application is not written into the settings', (id) => {
  expect(() => checkId('app', id)).toThrow('is not the id of an app');
});

test.each([
  ['http://192.168.1.7:8080/console/sign-in#code=aB_3-x', 'http://192.168.1.7:8080'],
  ['Console: https://ops.example/console/sign-in#code=x (once, within 10 minutes)', 'https://ops.example'],
  ['aB_3-x', undefined],
])('the platform of "%s" is %s', (typed, origin) => {
  expect(originOfLink(typed)).toBe(origin);
});
