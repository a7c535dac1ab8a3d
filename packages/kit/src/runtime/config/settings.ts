import type { CleanedEnv, ValidatorSpec } from 'envalid';
import { readEnv } from './env.ts';

/** An environment variable: how its text is parsed (`validator`, with its default), and its purpose in one sentence. */
export type Setting<Validator> = {
  readonly variable: string;
  readonly validator: Validator;
  readonly description: string;
};

/** Settings of a process by their names in code; related settings may be grouped. */
export type Settings = { readonly [name: string]: Setting<ValidatorSpec<unknown>> | Settings };

/** The values of settings, in the same shape. */
export type ConfigOf<S> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer Validator>
    ? CleanedEnv<{ value: Validator }>['value']
    : ConfigOf<S[Name]>;
};

export function setting<Validator>(
  variable: string,
  validator: Validator,
  description: string,
): Setting<Validator> {
  return { variable, validator, description };
}

/** Reads all settings from environment variables. Throws one error that names every bad variable. */
export function readSettings<S extends Settings>(
  settings: S,
  source: Record<string, string | undefined>,
): ConfigOf<S> {
  const validators = listSettings(settings).map(({ variable, validator }) => [variable, validator]);
  const values = readEnv(Object.fromEntries(validators) as Record<string, ValidatorSpec<unknown>>, source);
  return valuesOf(settings, values) as ConfigOf<S>;
}

/** Lists the settings of all groups, each variable once. */
export function listSettings(settings: Settings): Setting<ValidatorSpec<unknown>>[] {
  const all = Object.values(settings).flatMap((entry) => (isSetting(entry) ? [entry] : listSettings(entry)));
  return [...new Map(all.map((one) => [one.variable, one])).values()];
}

function valuesOf(settings: Settings, values: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(settings).map(([name, entry]) => [
    name,
    isSetting(entry) ? values[entry.variable] : valuesOf(entry, values),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

function isSetting(
  entry: Setting<ValidatorSpec<unknown>> | Settings,
): entry is Setting<ValidatorSpec<unknown>> {
  return typeof entry['variable'] === 'string';
}
