/**
 * Part of the names of databases, locks and channels. Versions of the library that can read each other's records share it; an incompatible
 * version has another one, so that two versions in two tabs have separate stores and do not wait for each other.
 */
export const FORMAT = 1;
