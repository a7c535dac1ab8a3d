import { limits } from '@parley/contract/limits';
import { parseName } from './choice.ts';
import { invalid, isFields, missing, optional, requiredText } from './fields.ts';
import { parseSteps } from './steps.ts';

/** Only those to change. */
export type AppSettings = { sessionTtlInSeconds?: number; inlineBodyBytes?: number };

const SETTINGS = {
  session_ttl_in_seconds: {
    key: 'sessionTtlInSeconds',
    min: limits.minSessionSeconds,
    max: limits.maxSessionSeconds,
  },
  inline_body_bytes: { key: 'inlineBodyBytes', min: limits.inlineBodyBytes, max: limits.maxInlineBodyBytes },
} as const;
const NAMES = ['session_ttl_in_seconds', 'inline_body_bytes'] as const satisfies (keyof typeof SETTINGS)[];

/**
 * `[{operation: set, property, value}, …]`; the last value of a setting counts. Fails with invalid_request, missing_property,
 * invalid_property. docs/protocol/users.md#settings-that-servers-change
 */
export function parseAppSettings(body: unknown): AppSettings {
  const settings: AppSettings = {};
  for (const [index, step] of parseSteps(body).entries()) {
    if (!isFields(step)) return invalid(String(index), 'must be an object.');
    const operation = requiredText(step, 'operation', `${index}.operation`);
    const property = requiredText(step, 'property', `${index}.property`);
    parseName(['set'], operation, `${index}.operation`);
    const name = parseName(NAMES, property, `${index}.property`);
    const value = optional(step, 'value') ?? missing(`${index}.value`);
    settings[SETTINGS[name].key] = readNumber(name, value);
  }
  return settings;
}

function readNumber(name: keyof typeof SETTINGS, value: unknown): number {
  const { min, max } = SETTINGS[name];
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return fits ? value : invalid(name, `must be a whole number from ${min} to ${max}.`);
}
