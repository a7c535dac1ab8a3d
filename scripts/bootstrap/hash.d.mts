/** One hash of the files' names and contents, in hexadecimal. */
export function hashFiles(files: readonly string[]): string;
/** All files below the folder that the test accepts, packages and generated code left out. */
export function listFiles(folder: string, accepts: (name: string) => boolean): string[];
