/** The command that runs the pinned version of pnpm: a program, then its first arguments. */
export function pnpm(): string[];
