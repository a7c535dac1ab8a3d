/** Whether golden files are written anew instead of compared. */
export const updatesGolden = Boolean(process.env.UPDATE_SCHEMA);
