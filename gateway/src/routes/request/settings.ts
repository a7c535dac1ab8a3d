import { notAccepted, parseName } from '@parley/domain/parse/choice';
import { invalid, missing, parseObject } from '@parley/domain/parse/fields';
import { parseSteps } from '@parley/domain/parse/steps';

/** Parses the value of each property that may be set; undefined: the value is invalid. */
type Readers<S> = { [P in keyof S]: (value: unknown) => S[P] | undefined };

/**
 * Parses settings of the form `[{operation: "set", property, value}, …]`; the last one for a property counts.
 * Problems: invalid_request, missing_property, invalid_property.
 */
export function parseSettings<S extends object>(body: unknown, readers: Readers<S>): Partial<S> {
  const settings: Partial<S> = {};
  for (const step of parseSteps(body)) {
    const { operation, property, value } = parseObject(step);
    parseName(['set'], operation, 'operation');
    if (!isKeyOf(readers, property)) return notAccepted('property', Object.keys(readers));
    if (value === undefined) missing('value');
    settings[property] = readers[property](value) ?? invalid(String(property), 'must be a number.');
  }
  return settings;
}

function isKeyOf<S extends object>(readers: Readers<S>, property: unknown): property is keyof S {
  return typeof property === 'string' && Object.hasOwn(readers, property);
}
