import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../config.ts';

/** Folder where `npm run generate -- site` leaves the documentation: a link to its last build. */
export const SITE_FOLDER = path.join(REPOSITORY, '.parley', 'site', 'current');

/** Whether there is a build, perhaps of older sources. */
export function isSiteBuilt(): boolean {
  return existsSync(SITE_FOLDER);
}

/** Link to the last build of `npm run generate -- library`, which applications install from. */
export const LIBRARY_FOLDER = path.join(REPOSITORY, '.parley', 'library', 'current');
