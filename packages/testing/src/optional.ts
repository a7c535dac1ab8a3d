import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CEPH_PACKAGES, isCephInstalled } from './ceph/packages.ts';
import { readConfig } from './config.ts';
import { chosenImage } from './containers/prepare.ts';
import { isInHistory, lastRelease } from '@parley/stack/release';

type Requirement = {
  /** Tests that are skipped without it. */
  tests: string;
  /** Says what is missing, and how to get it. */
  otherwise: string;
  isThere(): boolean;
};

const NO_CEPH = {
  tests: 'S3 tests',
  otherwise: `no Ceph: apt-get install --no-install-recommends ${CEPH_PACKAGES.join(' ')}, or PARLEY_TEST_S3=ceph npm test as root`,
};

const REQUIREMENTS = {
  s3: { ...NO_CEPH, isThere: isS3There },
  ceph: { ...NO_CEPH, isThere: () => isCephInstalled() },
  citus: {
    tests: 'tests of cells on Citus',
    otherwise: 'no Citus: PARLEY_TEST_CITUS_URL is the address of a database on the coordinator of a cluster',
    isThere: () => readConfig().testCitusUrl !== undefined,
  },
  containers: {
    tests: 'tests of containers',
    otherwise: 'no containers: PARLEY_TEST_CONTAINERS=1 npm test, where Docker or podman answers',
    isThere: () => chosenImage('nats') !== undefined,
  },
  kubectl: {
    tests: 'tests of the Kubernetes manifests',
    otherwise: 'no kubectl: https://kubernetes.io/docs/tasks/tools/',
    isThere: () => findProgram('kubectl') !== undefined,
  },
  promtool: {
    tests: 'tests of metrics and alert rules',
    otherwise: 'no promtool: apt-get install --no-install-recommends prometheus',
    isThere: () => findProgram('promtool') !== undefined,
  },
  chromium: {
    tests: 'browser tests',
    otherwise: 'no Chromium: apt-get install --no-install-recommends chromium fonts-dejavu-core',
    isThere: () => findChromium() !== undefined,
  },
  proc: {
    tests: 'tests of listening sockets',
    otherwise: 'no /proc: run the tests on Linux',
    isThere: () => existsSync('/proc/self/fd') && existsSync('/proc/net/tcp'),
  },
  history: {
    tests: 'tests of upgrades',
    otherwise: 'the history does not have the last release: git fetch --unshallow',
    isThere: () => isInHistory(lastRelease()),
  },
  python: {
    tests: 'code of the guides in Python',
    otherwise: 'no python3 with PyJWT: apt-get install python3-jwt python3-cryptography',
    isThere: () => findPython() !== undefined,
  },
  go: {
    tests: 'code of the guides in Go',
    otherwise: 'no go: apt-get install golang-go',
    isThere: () => findProgram('go') !== undefined,
  },
  java: {
    tests: 'code of the guides in Java',
    otherwise: 'no javac: apt-get install default-jdk-headless',
    isThere: () => findProgram('javac') !== undefined,
  },
  php: {
    tests: 'code of the guides in PHP',
    otherwise: 'no php: apt-get install php-cli',
    isThere: () => findProgram('php') !== undefined,
  },
  ruby: {
    tests: 'code of the guides in Ruby',
    otherwise: 'no ruby: apt-get install ruby',
    isThere: () => findProgram('ruby') !== undefined,
  },
  mount: {
    tests: 'tests of a full disk',
    otherwise: 'no right to mount a file system: run the tests as root on Linux',
    isThere: canMount,
  },
} satisfies Record<string, Requirement>;

/** Programs and servers that a test may need and a machine may lack. */
export type Optional = keyof typeof REQUIREMENTS;

/** Whether it is there. `PARLEY_TEST_WITHOUT`, names with commas between or `all`, makes a run do without. */
export function isAvailable(name: Optional): boolean {
  const { testWithout } = readConfig();
  if (testWithout.includes(name) || testWithout.includes('all')) return false;
  return REQUIREMENTS[name].isThere();
}

/** Whether it is the name of something that a test may need. */
export function isOptional(name: string): name is Optional {
  return Object.hasOwn(REQUIREMENTS, name);
}

/** A `describe` that is skipped where the requirement is missing; `npm test` then says so and why at its end. */
export function describeWith(name: Optional, title: string, define: () => void): void {
  if (isAvailable(name)) describe(title, define);
  else describe.skip(skippedTitle(name, title), define);
}

/** A `test` that is skipped where the requirement is missing; `npm test` then says so and why at its end. */
export function testWith(
  name: Optional,
  title: string,
  ...given: [run: jest.ProvidesCallback, timeoutMs?: number]
): void {
  if (isAvailable(name)) test(title, ...given);
  else test.skip(skippedTitle(name, title), ...given);
}

/** The browser that `PARLEY_TEST_CHROMIUM` names, else the installed one. */
export function findChromium({ testChromium } = readConfig()): string | undefined {
  return testChromium ?? findProgram('chromium');
}

/** The path of a program, from the PATH and the usual folders. */
export function findProgram(program: string, config = readConfig()): string | undefined {
  return listPrograms(program, config)[0];
}

/** All programs of a name, the one that a shell finds first. */
function listPrograms(program: string, { searchPath } = readConfig()): string[] {
  const folders = new Set([...searchPath, '/usr/bin', '/usr/sbin', '/usr/local/bin']);
  return [...folders].map((folder) => path.join(folder, program)).filter((file) => existsSync(file));
}

let python: { path: string | undefined } | undefined;

/**
 * A Python with the packages of the guides: the PATH's own may lack those that Debian's has. It is looked for once, so that a test
 * that is not skipped finds the one that it was not skipped for.
 */
export function findPython(): string | undefined {
  const hasPackages = (file: string) => spawnSync(file, ['-c', 'import jwt, cryptography']).status === 0;
  python ??= { path: listPrograms('python3').find(hasPackages) };
  return python.path;
}

// `scripts/test/summary.ts` reads the brackets.
function skippedTitle(name: Optional, title: string): string {
  const { tests, otherwise } = REQUIREMENTS[name];
  return `${title} [skipped: ${tests} (${otherwise})]`;
}

function isS3There(): boolean {
  return readConfig().testS3Endpoint !== undefined || chosenImage('s3') !== undefined || isCephInstalled();
}

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
