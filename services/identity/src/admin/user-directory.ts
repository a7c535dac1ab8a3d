import { UserDirectory } from '@parley/proto/parley/identity/v1/app_pb';
import type { UserDirectory as StoredDirectory } from '../sql/app.ts';

const DIRECTORIES: Readonly<Record<StoredDirectory, UserDirectory>> = {
  everyone: UserDirectory.EVERYONE,
  shared: UserDirectory.SHARED,
  nobody: UserDirectory.NOBODY,
};

/** A stored setting as calls name it. */
export function toUserDirectory(stored: StoredDirectory): UserDirectory {
  return DIRECTORIES[stored];
}

/** A setting of a call as it is stored; undefined: the call does not change it. */
export function storedDirectory(directory: UserDirectory): StoredDirectory | undefined {
  return (Object.keys(DIRECTORIES) as StoredDirectory[]).find((name) => DIRECTORIES[name] === directory);
}
