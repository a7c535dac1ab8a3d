/** Points the link `current` of a folder to its build `hash`, and removes older builds and those that failed. */
export function pointToBuild(folder: string, hash: string): void;
