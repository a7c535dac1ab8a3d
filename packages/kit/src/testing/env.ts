/** Whether golden files are written anew instead of compared. */
export const UPDATES_GOLDEN = Boolean(process.env.UPDATE_SCHEMA);
