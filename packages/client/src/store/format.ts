/**
 * Part of the names of databases, locks and channels. Versions of the library that read each other's records share it; a version that
 * cannot has another one, so that two versions in two tabs have a store each and do not wait for each other.
 */
export const FORMAT = 1;
