import { realpath } from 'node:fs/promises';

type Following<T> = {
  /** Reads a build. Fails for a folder without a complete one. */
  open(folder: string): Promise<T>;
  /** Gets the error of a folder that has no complete build, once for each folder. */
  onBroken(folder: string, error: unknown): void;
};

/**
 * Gives the build to which `link` leads at the time of the call, opened once; undefined before there is one. A folder whose build is not complete
 * is read again by the next call.
 */
export function followBuild<T>(link: string, { open, onBroken }: Following<T>): () => Promise<T | undefined> {
  let opened: { folder: string; build: Promise<T> } | undefined;
  let broken: string | undefined;
  return async () => {
    const folder = await realpath(link).catch(() => undefined);
    if (folder === undefined) return undefined;
    if (opened?.folder !== folder) opened = { folder, build: open(folder) };
    const mine = opened;
    return mine.build.catch((error: unknown) => {
      if (opened === mine) opened = undefined;
      if (broken !== folder) onBroken(folder, error);
      broken = folder;
      return undefined;
    });
  };
}
