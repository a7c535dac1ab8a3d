import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.ts';

type Listing = { version: string; files: { name: string; url: string; integrity: string }[] };

const WITHIN_MS = 20_000;

/**
 * Fails with a Failure if the platform hands out other packages than this starter brings: `npx` keeps the package of an address for good, also
 * when the platform there was upgraded. A platform that hands out nothing is not compared.
 */
export async function requirePresentRelease(origin: string, packageFolder: string): Promise<void> {
  const listing = await readListing(origin);
  const outdated = listing?.files.filter(({ name, integrity }) => isOther(packageFolder, name, integrity));
  if (!listing || !outdated || outdated.length === 0) return;
  const { url = '', integrity = '' } = listing.files.find(({ name }) => name === 'create.tgz') ?? {};
  throw new Failure(
    `npx has kept an older starter than that of the platform, which is of release ${listing.version}. Take that one:\n  npx "${url}?${encodeURIComponent(integrity.slice(-16))}"`,
  );
}

async function readListing(origin: string): Promise<Listing | undefined> {
  try {
    const headers = { accept: 'application/json' };
    const answer = await fetch(`${origin}/library/`, { headers, signal: AbortSignal.timeout(WITHIN_MS) });
    if (!answer.ok) return undefined;
    const listing = (await answer.json().catch(() => undefined)) as Partial<Listing> | null | undefined;
    if (!Array.isArray(listing?.files))
      throw new Failure(`${origin} does not answer as a Parley platform does.`);
    return listing as Listing;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`Nothing answers at ${origin}: is the platform running there?`, { cause: error });
  }
}

function isOther(packageFolder: string, name: string, integrity: string): boolean {
  try {
    const bytes = readFileSync(path.join(packageFolder, 'vendor', name));
    return `sha384-${createHash('sha384').update(bytes).digest('base64')}` !== integrity;
  } catch {
    // Not among the packages that applications begin with.
    return false;
  }
}
