import satisfies from 'spdx-satisfies';
import type { BundledPackage } from '../build/packages.ts';

/**
 * Licenses under which a package may be part of Parley, by their SPDX identifiers. All but the last ask for no more than that their
 * text is kept; the last one covers a package's own files alone, and Parley changes none of them.
 */
export const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'MPL-2.0',
] as const;

/** A line for each package whose license is missing or not on the list. An expression such as `(MIT OR GPL-3.0)` needs one that is. */
export function unacceptable(packages: readonly BundledPackage[]): string[] {
  const lines = packages.flatMap(({ name, version, license }) =>
    isAllowed(license)
      ? []
      : [`${name}@${version} has the license ${license || '(none)'}, which is not allowed.`],
  );
  return [...new Set(lines)];
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, [...ALLOWED]);
  } catch {
    // Not an SPDX expression.
    return false;
  }
}
