/** Whether golden files are written anew instead of compared. */
export const UPDATES_GOLDEN = Boolean(process.env.UPDATE_SCHEMA);

/** The setting of the cells that the tests of this run use: `PARLEY_CELLS=4 npm test -- services/messaging`. Empty: one. */
export const TESTED_CELLS = process.env.PARLEY_CELLS ?? '';
