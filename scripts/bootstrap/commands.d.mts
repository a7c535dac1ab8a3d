type Command = { script?: string; args?: string[]; steps: (() => void)[]; afterwards?: () => void };

/** The command that the words name, and the words that it gets. Throws an error with the names that there are. */
export function findCommand(words: readonly string[]): { command: Command; words: string[] };
