import { limits } from '@parley/contract/limits';
import { USER_DIRECTORIES, type UserDirectory } from '@parley/contract/records/app-settings';
import { PRIVATE_IDENTITY_FIELDS, type PrivateIdentityField } from '@parley/contract/records/identity';
import { arePrivateIdentityFields } from '../json/identity.ts';
import { parseName } from './choice.ts';
import { invalid, isFields, missing, optional, requiredText } from './fields.ts';
import { parseSteps } from './steps.ts';

/** The settings to change. */
export type AppSettings = {
  sessionTtlInSeconds?: number;
  inlineBodyBytes?: number;
  publicIdentityFields?: PrivateIdentityField[];
  userDirectory?: UserDirectory;
};

const NUMBERS = {
  session_ttl_in_seconds: {
    key: 'sessionTtlInSeconds',
    min: limits.minSessionSeconds,
    max: limits.maxSessionSeconds,
  },
  inline_body_bytes: { key: 'inlineBodyBytes', min: limits.inlineBodyBytes, max: limits.maxInlineBodyBytes },
} as const;
const NAMES = [
  'session_ttl_in_seconds',
  'inline_body_bytes',
  'public_identity_fields',
  'user_directory',
] as const;

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
    if (name === 'public_identity_fields') settings.publicIdentityFields = readFields(name, value);
    else if (name === 'user_directory') settings.userDirectory = parseName(USER_DIRECTORIES, value, name);
    else settings[NUMBERS[name].key] = readNumber(name, value);
  }
  return settings;
}

function readFields(name: string, value: unknown): PrivateIdentityField[] {
  if (arePrivateIdentityFields(value)) return value;
  return invalid(name, `must be a list of ${PRIVATE_IDENTITY_FIELDS.join(' and ')}, each at most once.`);
}

function readNumber(name: keyof typeof NUMBERS, value: unknown): number {
  const { min, max } = NUMBERS[name];
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return fits ? value : invalid(name, `must be a whole number from ${min} to ${max}.`);
}
