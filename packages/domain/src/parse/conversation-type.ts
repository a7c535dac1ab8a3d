import { limits } from '@parley/contract/limits';
import { TYPE_NAME } from '@parley/contract/patterns';
import { FEATURES, isAction, ROLES, type Action, type Feature, type Role } from '@parley/contract/policy';
import { withoutDefaults, type TypeRules } from '../policy.ts';
import { parseName } from './choice.ts';
import { invalid, isFields, optional, parseObject, type Fields } from './fields.ts';

/** Keys that have their defaults alone until a later part of the protocol. */
const RESERVED = ['live', 'message_retention_in_seconds'];

// eslint-disable-next-line parley/linear-regexp -- its test is that of the schemas, scripts/lint/expressions.alone.test.ts
const NAME = new RegExp(TYPE_NAME, 'u');

/** Whether a type may have the name. */
export function isTypeName(name: string): boolean {
  return NAME.test(name);
}

/** The name of a type in a conversation; undefined: `default`. Problem: invalid_property (type). */
export function parseTypeName(fields: Fields): string | undefined {
  const type = optional(fields, 'type');
  if (type === undefined) return undefined;
  return typeof type === 'string' && isTypeName(type) ? type : invalid('type', 'must be the name of a type.');
}

/** Rules of a type without what has its default. Fails with invalid_request, invalid_property. docs/protocol/types.md#types */
export function parseTypeRules(body: unknown): TypeRules {
  const fields = parseObject(body);
  for (const key of RESERVED) if (optional(fields, key) ?? false) invalid(key, 'is not available yet.');
  const rules: TypeRules = {};
  if (optional(fields, 'actions') !== undefined) rules.actions = parseActions(fields['actions']);
  if (optional(fields, 'features') !== undefined) rules.features = parseFeatures(fields['features']);
  parseNames(fields, rules);
  parseNumbers(fields, rules);
  return withoutDefaults(rules);
}

function parseNames(fields: Fields, rules: TypeRules): void {
  const create = nameOf(fields, 'create', ['users', 'servers']);
  const role = nameOf(fields, 'creator_role', ROLES);
  const history = nameOf(fields, 'newcomer_history', ['all', 'none']);
  const versions = nameOf(fields, 'edit_history', ['none', 'servers', 'participants']);
  const level = nameOf(fields, 'push_level', ['all', 'mentions', 'none']);
  if (create === 'servers') rules.create = create;
  if (role !== undefined) rules.creator_role = role;
  if (history === 'none') rules.newcomer_history = history;
  if (versions !== undefined && versions !== 'none') rules.edit_history = versions;
  if (level !== undefined && level !== 'all') rules.push_level = level;
}

function parseNumbers(fields: Fields, rules: TypeRules): void {
  const most = integerOf(fields, 'max_participants', { from: 1, to: Number.MAX_SAFE_INTEGER });
  const slow = integerOf(fields, 'slow_mode_in_seconds', { from: 0, to: limits.slowModeInSeconds });
  const edit = integerOf(fields, 'edit_window_in_seconds', { from: 0, to: limits.windowInSeconds });
  const deletion = integerOf(fields, 'delete_window_in_seconds', { from: 0, to: limits.windowInSeconds });
  if (most !== undefined) rules.max_participants = most;
  if (slow) rules.slow_mode_in_seconds = slow;
  if (edit !== undefined) rules.edit_window_in_seconds = edit;
  if (deletion !== undefined) rules.delete_window_in_seconds = deletion;
}

function parseActions(value: unknown): Partial<Record<Action, Role[]>> {
  if (!isFields(value)) return invalid('actions', 'must be an object.');
  const actions: Partial<Record<Action, Role[]>> = {};
  for (const [action, roles] of Object.entries(value)) {
    const property = `actions.${action}`;
    if (!isAction(action)) return invalid(property, 'is not an action.');
    if (!Array.isArray(roles)) return invalid(property, 'must be a list of roles.');
    const named = new Set(roles.map((role) => parseName(ROLES, role, property)));
    actions[action] = ROLES.filter((role) => named.has(role));
  }
  return actions;
}

function parseFeatures(value: unknown): Partial<Record<Feature, false>> {
  if (!isFields(value)) return invalid('features', 'must be an object.');
  const off: Partial<Record<Feature, false>> = {};
  for (const [name, isOn] of Object.entries(value)) {
    const property = `features.${name}`;
    const feature = FEATURES.find((known) => known === name) ?? invalid(property, 'is not a feature.');
    if (typeof isOn !== 'boolean') return invalid(property, 'must be true or false.');
    if (!isOn) off[feature] = false;
  }
  return off;
}

function nameOf<const N extends string>(fields: Fields, key: string, names: readonly N[]): N | undefined {
  const value = optional(fields, key);
  return value === undefined ? undefined : parseName(names, value, key);
}

function integerOf(
  fields: Fields,
  key: string,
  { from, to }: { from: number; to: number },
): number | undefined {
  const value = optional(fields, key);
  if (value === undefined) return undefined;
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return isValid ? value : invalid(key, `must be a whole number from ${from} to ${to}.`);
}
