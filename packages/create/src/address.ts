import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.ts';

const DEFAULT_ADDRESS = 'http://localhost:8080';

/**
 * The address of the platform from which `npx` got this package: the project that `npx` makes for it names the tarball. `packageFolder`: where the
 * package is installed. A platform of this machine at port 8080 if nothing says so.
 */
export function addressOfTarball(packageFolder: string): string {
  try {
    const project = path.join(packageFolder, '..', '..', '..', 'package.json');
    const { dependencies = {} } = JSON.parse(readFileSync(project, 'utf8')) as Project;
    const [, address] = /^(https?:\/\/.*)\/library\/(?:[^/]+\/)?create\.tgz(?:\?|$)/.exec(
      dependencies['@parley/create'] ?? '',
    ) ?? [undefined, undefined];
    return address ?? DEFAULT_ADDRESS;
  } catch {
    return DEFAULT_ADDRESS;
  }
}

type Project = { dependencies?: Record<string, string> };

/** The origin of an address as it was typed. Fails with a Failure for anything but http and https. */
export function originOf(address: string): string {
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Failure(`${address} is no address of a platform, such as ${DEFAULT_ADDRESS}.`);
  return url.origin;
}
