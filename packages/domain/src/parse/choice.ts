import { fail } from '../problems.ts';
import { nameList } from './name-list.ts';

/** Parses one of several names. Fails with invalid_property, whose `data.accepted` lists them. */
export function parseChoice<T extends number | boolean | string>(
  choices: Readonly<Record<string, T>>,
  value: unknown,
  property: string,
): T {
  const isKnown = typeof value === 'string' && Object.hasOwn(choices, value);
  return (isKnown ? choices[value] : undefined) ?? notAccepted(property, Object.keys(choices));
}

/** Parses one of several names, and returns it. Fails as `parseChoice` does. */
export function parseName<N extends string>(names: readonly N[], value: unknown, property: string): N {
  return names.find((name) => name === value) ?? notAccepted(property, names);
}

/** Refuses a value that is not accepted; `data.accepted` lists the accepted ones. */
export function notAccepted(property: string, accepted: readonly string[]): never {
  return fail('invalid_property', {
    property,
    accepted,
    message: `${property} must be ${nameList(accepted)}.`,
  });
}
