import {
  customCleanEnv,
  makeExactValidator,
  makeValidator,
  EnvError,
  EnvMissingError,
  type CleanedEnv,
} from 'envalid';

export { bool, json, str } from 'envalid';

/**
 * Reads the environment by a spec of validators, `{ PARLEY_RPC_PORT: listenPort(), … }`, into a frozen object of the
 * same keys. An empty variable counts as absent. Throws one error that names every bad variable, without the values
 * of secrets.
 */
export function readEnv<S extends object>(
  spec: S,
  source: Record<string, string | undefined> = process.env,
): Readonly<CleanedEnv<S>> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  return customCleanEnv(given, spec, (clean) => Object.freeze({ ...clean }), {
    reporter: ({ errors }) => failOnErrors(errors),
  });
}

function failOnErrors(errors: Record<string, Error | undefined>): void {
  const lines = Object.entries(errors).map(
    ([name, error]) => `${name}: ${error instanceof EnvMissingError ? 'is required' : error?.message}`,
  );
  if (lines.length > 0) throw new EnvError(`bad environment: ${lines.join('; ')}`);
}

/** A whole number from `min` to `max`. */
export function int({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) {
  return makeExactValidator<number>((input) => {
    const value = Number(input);
    if (input.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new EnvError(`not a whole number from ${min} to ${max}: "${input}"`);
  });
}

/** A number from `min` to `max`. */
export function num({ min = -Infinity, max = Infinity }: { min?: number; max?: number } = {}) {
  return makeExactValidator<number>((input) => {
    const value = Number(input);
    if (input.trim() !== '' && value >= min && value <= max) return value;
    throw new EnvError(`not a number from ${min} to ${max}: "${input}"`);
  });
}

/** A comma separated list; `parse` gives undefined for an entry that is not `what`. */
export function list<T>(what: string, parse: (entry: string) => T | undefined) {
  return makeExactValidator<T[]>((input) => {
    const entries = input.split(',').map((entry) => entry.trim());
    return entries.filter(Boolean).map((entry) => {
      const value = parse(entry);
      if (value === undefined) throw new EnvError(`not ${what}: "${entry}"`);
      return value;
    });
  });
}

/** A port to listen on; 0: any free one. */
export const listenPort = int({ min: 0, max: 65_535 });

/** A port to listen on; 0: any free one; -1: none. */
export const optionalListenPort = int({ min: -1, max: 65_535 });

/** An address with a scheme. It may hold a password, so a bad one is not shown. */
export const url = makeValidator<string>((input) => {
  if (URL.canParse(input)) return input;
  throw new EnvError('not an address with a scheme');
});

/** A text that must be hard to guess: at least 16 characters. */
export const secret = makeValidator<string>((input) => {
  if (input.length >= 16) return input;
  throw new EnvError('has fewer than 16 characters');
});

/** Where an RPC service is: `host:port`, a comma separated list of such, or `dns:///name:port`. */
export const rpcAddress = makeValidator<string>((input) => {
  const entries = input.replace(/^dns:\/\/\//, '').split(',');
  if (entries.every((entry) => /^\s*(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}\s*$/i.test(entry))) return input;
  throw new EnvError(`not host:port, a comma separated list of such, or dns:///name:port: "${input}"`);
});
