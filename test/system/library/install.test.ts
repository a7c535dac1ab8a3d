import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildLibrary, install, readListing, type Listing } from '../../support/library/library.ts';
import { startScopeRegistry, type ScopeRegistry } from '../../support/library/scope.ts';
import { platform } from '../../support/platform.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-install-'));
let baseUrl: string;
let listing: Listing;
let scope: ScopeRegistry;

beforeAll(async () => {
  buildLibrary();
  ({ baseUrl } = await platform());
  listing = await readListing(baseUrl);
  scope = await startScopeRegistry(folder);
}, 120_000);
afterAll(() => {
  scope?.close();
  rmSync(folder, { recursive: true, force: true });
});

function emptyProject(name: string): string {
  const project = path.join(folder, name);
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  return project;
}

/** Imports of an application that has installed the packages. */
const IMPORTS = `
const { createClient } = await import('@parley/client');
const { signIdentityToken } = await import('@parley/client/server');
const { useMessages } = await import('@parley/react');
const { Chat } = await import('@parley/react-ui');
console.log(typeof createClient, typeof signIdentityToken, typeof useMessages, typeof Chat);
`;

function addresses(...names: string[]): string[] {
  return names.map((name) => `${baseUrl}/library/${name}`);
}

/** Asks npm for its registry, which the others are told: a machine may reach no other one. */
function registry(): string {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
}

/** Yarn 4 installs from http where it is told to, and into a folder where it is told to. */
function settingsOfYarn4(): string {
  return JSON.stringify({
    unsafeHttpWhitelist: ['*'],
    nodeLinker: 'node-modules',
    npmRegistryServer: registry(),
    npmScopes: { parley: { npmRegistryServer: scope.url } },
  });
}

/** Yarn 4 takes an address with the name of the package. */
function namesFor(tool: string, urls: string[]): string[] {
  if (tool !== 'yarn-4') return urls;
  return urls.map((url) => `@parley/${path.basename(url, '.tgz')}@${url}`);
}

describe.each([
  ['npm', ['npm', 'install'], 'package-lock.json'],
  ['pnpm', ['npx', '--yes', 'pnpm@10.34.8', 'add'], 'pnpm-lock.yaml'],
  ['yarn-1', ['npx', '--yes', 'yarn@1.22.22', 'add'], 'yarn.lock'],
  ['yarn-4', ['npx', '--yes', '@yarnpkg/cli-dist@4.18.1', 'add'], 'yarn.lock'],
  ['bun', ['npx', '--yes', 'bun@1.4.5', 'add'], 'bun.lock'],
])('%s', (name, command, lockFile) => {
  test('installs the packages from their addresses, and asks no registry for our scope', async () => {
    const project = emptyProject(name);
    if (name === 'yarn-4') {
      // It takes a folder below another project for a part of that one unless there is a lock file.
      writeFileSync(path.join(project, lockFile), '');
      writeFileSync(path.join(project, '.yarnrc.yml'), settingsOfYarn4());
    }
    const names = namesFor(name, addresses('client.tgz', 'react.tgz', 'react-ui.tgz'));
    await install([...command, ...names, 'react', 'react-dom'], {
      cwd: project,
      env: { ...scope.env, npm_config_registry: registry() },
    });
    writeFileSync(path.join(project, 'check.mjs'), IMPORTS);
    const shown = await install([process.execPath, 'check.mjs'], { cwd: project });
    expect(shown.trim()).toBe('function function function function');
    expect(readFileSync(path.join(project, lockFile), 'utf8')).toContain('/library/client.tgz');
    expect(scope.requests).toEqual([]);
  }, 300_000);
});

test.each(['client.tgz', 'react.tgz', 'react-ui.tgz', 'create.tgz'])(
  '%s comes alone, and asks no registry for our scope',
  async (name) => {
    const project = emptyProject(name.replace('.tgz', '-alone'));
    await install(['npm', 'install', ...addresses(name)], { cwd: project, env: scope.env });
    const { packages } = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string }>;
    };
    const own = Object.keys(packages).filter((one) => one.includes('@parley/'));
    expect(own).toEqual([`node_modules/@parley/${name.replace('.tgz', '')}`]);
    expect(packages[own[0] ?? '']?.version).toBe(listing.version);
    expect(scope.requests).toEqual([]);
  },
  300_000,
);

test('a package of our scope that is named alone is asked for where the test looks', async () => {
  const project = emptyProject('control');
  await expect(
    install(['npm', 'install', '@parley/client'], { cwd: project, env: scope.env }),
  ).rejects.toThrow('404');
  expect(scope.requests).toContain('/@parley/client');
  scope.requests.length = 0;
}, 300_000);
