import { readFileSync } from 'node:fs';
import {
  bool as envalidBool,
  customCleanEnv,
  EnvError,
  EnvMissingError,
  makeExactValidator,
  str as envalidStr,
  type CleanedEnv,
  type ExactValidator,
} from 'envalid';
import { isLoopbackName } from '../loopback.ts';

const ACCEPTED = new WeakMap<object, string>();

/** Describes briefly what a variable with this validator accepts, for the reference page of the configuration. */
export function acceptedBy(validator: object): string {
  const { choices } = validator as { choices?: readonly unknown[] };
  return choices ? choices.join(', ') : (ACCEPTED.get(validator) ?? 'text');
}

/** A validator whose `parse` throws an EnvError for values it does not accept. */
export function accepting<T>(accepted: string, parse: (input: string) => T): ExactValidator<T> {
  return remember(accepted, makeExactValidator<T>(parse));
}

function remember<Make extends (...specs: never[]) => object>(accepted: string, make: Make): Make {
  return ((...specs) => {
    const validator = make(...specs);
    ACCEPTED.set(validator, accepted);
    return validator;
  }) as Make;
}

export const str = envalidStr;

export const bool = remember('true or false', envalidBool);

/**
 * Reads environment variables by a spec of validators, `{ PARLEY_RPC_PORT: listenPort(), … }`, into a frozen object with the same keys. An
 * empty variable counts as absent. The value of `NAME` may be in a file instead, whose path is in `NAME_FILE`. Throws one error that names
 * every bad variable, without the values of secrets.
 */
export function readEnv<S extends object>(
  spec: S,
  source: Record<string, string | undefined>,
): Readonly<CleanedEnv<S>> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const unread: Record<string, Error> = {};
  for (const name of Object.keys(spec)) {
    try {
      given[name] = given[name + FILE] === undefined ? given[name] : readNamedFile(given, name);
    } catch (error) {
      unread[name] = error as Error;
    }
  }
  return customCleanEnv(given, spec, (clean) => Object.freeze({ ...clean }), {
    reporter: ({ errors }) => failOnErrors({ ...errors, ...unread }),
  });
}

const FILE = '_FILE';

/** Reads a file without its final line break, which editors and `kubectl` add. */
function readNamedFile(given: Record<string, string | undefined>, name: string): string | undefined {
  if (given[name] !== undefined) throw new EnvError(`is given twice, by itself and by ${name}${FILE}`);
  try {
    return readFileSync(given[name + FILE] ?? '', 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new EnvError(`cannot be read from its file: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function failOnErrors(errors: Record<string, Error | undefined>): void {
  const lines = Object.entries(errors).map(
    ([name, error]) => `${name}: ${error instanceof EnvMissingError ? 'is required' : error?.message}`,
  );
  if (lines.length > 0) throw new EnvError(`bad environment: ${lines.join('; ')}`);
}

/** An integer from `min` to `max`. */
export function int({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return accepting<number>(`a whole number, ${range}`, (input) => {
    const value = Number(input);
    if (input.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new EnvError(`not a whole number from ${min} to ${max}: "${input}"`);
  });
}

/** A number from `min` to `max`. */
export function num({ min = -Infinity, max = Infinity }: { min?: number; max?: number } = {}) {
  return accepting<number>(`a number, ${min} to ${max}`, (input) => {
    const value = Number(input);
    if (input.trim() !== '' && value >= min && value <= max) return value;
    throw new EnvError(`not a number from ${min} to ${max}: "${input}"`);
  });
}

/** A comma-separated list; `parse` returns undefined for an entry that is not `what`. */
export function list<T>(what: string, parse: (entry: string) => T | undefined) {
  return accepting<T[]>(`a comma separated list, each ${what}`, (input) => {
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

/** An address with a scheme. It may contain a password, so a bad one is not printed. */
export const url = accepting<string>('an address with a scheme', (input) => {
  if (URL.canParse(input)) return input;
  throw new EnvError('not an address with a scheme');
});

/** A URL without trailing slashes. */
export const baseUrl = accepting<string>('an address with a scheme', (input) => {
  if (URL.canParse(input)) return withoutSlashesAtEnd(input);
  throw new EnvError('not an address with a scheme');
});

/** A text that must be hard to guess: at least 16 characters. */
export const secret = accepting<string>('a secret of at least 16 characters', (input) => {
  if (input.length >= 16) return input;
  throw new EnvError('has fewer than 16 characters');
});

/** Texts that must be hard to guess. None contains a comma. */
export const secrets = accepting<string[]>(
  'a comma separated list, each a secret of at least 16 characters',
  (input) => {
    const entries = input.split(',').map((entry) => entry.trim());
    const given = entries.filter(Boolean);
    if (given.every((one) => one.length >= 16)) return given;
    throw new EnvError('one has fewer than 16 characters');
  },
);

/** The address of an RPC service: `host:port`, a comma-separated list of these, or `dns:///name:port`. */
export const rpcAddress = accepting<string>(
  '`host:port`, a comma separated list of such, or `dns:///name:port`',
  (input) => {
    const entries = input.replace(/^dns:\/\/\//, '').split(',');
    if (entries.every((entry) => /^\s*(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}\s*$/i.test(entry))) return input;
    throw new EnvError(`not host:port, a comma separated list of such, or dns:///name:port: "${input}"`);
  },
);

/** An origin whose cookies cannot be read by the network: https, or this machine. */
export const secureOrigin = accepting<string>(
  'an `https` origin, or an `http` origin of this machine',
  (input) => {
    const url = URL.canParse(input) ? new URL(input) : undefined;
    if (url && isBareOrigin(url) && isSecureOrigin(url)) return url.origin;
    throw new EnvError(
      'not an https origin, such as https://console.example.com, nor an http origin of this machine',
    );
  },
);

/** An address authenticated by https, or on this machine; without trailing slashes. */
export const secureUrl = accepting<string>(
  'an `https` address, or an `http` address of this machine',
  (input) => {
    if (URL.canParse(input) && isSecureOrigin(new URL(input))) return withoutSlashesAtEnd(input);
    throw new EnvError('not an https address, nor an http address of this machine');
  },
);

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

function isBareOrigin({ pathname, search, hash, username, password }: URL): boolean {
  return pathname === '/' && `${search}${hash}${username}${password}` === '';
}

/** Whether the network cannot read what is sent there. */
export function isSecureOrigin({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}
