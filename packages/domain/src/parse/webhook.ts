import type { JsonObject } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import { isStorableText } from '../metadata.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../events/webhook-events.ts';
import { countCharacters } from '../user-id.ts';
import type { Wire } from '../wire.ts';
import { parseName } from './choice.ts';
import {
  invalid,
  isFields,
  missing,
  optionalText,
  parseObject,
  requiredText,
  type Fields,
} from './fields.ts';

export type WebhookDraft = {
  version: string;
  targetUrl: string;
  events: WebhookEvent[];
  secret: string;
  config: JsonObject | undefined;
};

/** The properties to change; a config of null removes it. */
export type WebhookChanges = Partial<Omit<WebhookDraft, 'version' | 'config'>> & {
  config?: JsonObject | null;
};

export type TargetRules = { allowHttp: boolean };

/** Checks version, target_url, events, secret and config, in this order. Fails with missing_property, invalid_property. */
export function parseWebhook(wire: Wire, fields: Fields, rules: TargetRules): WebhookDraft {
  return {
    version: parseVersion(wire, fields),
    targetUrl: parseTargetUrl(requiredText(fields, 'target_url'), rules),
    events: parseEvents(fields['events'] ?? missing('events')),
    secret: parseSecret(requiredText(fields, 'secret')),
    config: parseConfig(fields['config']) ?? undefined,
  };
}

/** Parses the properties that are present. Fails with invalid_property. */
export function parseWebhookChanges(fields: Fields, rules: TargetRules): WebhookChanges {
  const targetUrl = optionalText(fields, 'target_url');
  const changes: WebhookChanges = {};
  if (targetUrl !== undefined) changes.targetUrl = parseTargetUrl(targetUrl, rules);
  if (fields['events'] != null) changes.events = parseEvents(fields['events']);
  const secret = optionalText(fields, 'secret');
  if (secret !== undefined) changes.secret = parseSecret(secret);
  if (fields['config'] !== undefined) changes.config = parseConfig(fields['config']);
  return changes;
}

/** `{secret}` of a rotation; undefined without one, also for no body: the platform makes it. Fails with invalid_request, invalid_property. */
export function parseSecretInput(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const secret = optionalText(parseObject(body), 'secret');
  return secret === undefined ? undefined : parseSecret(secret);
}

/** `{event}` of a test; undefined without one, also for no body. Fails with invalid_request, invalid_property. */
export function parseTestEventInput(body: unknown): WebhookEvent | undefined {
  if (body === undefined) return undefined;
  const name = optionalText(parseObject(body), 'event');
  return name === undefined ? undefined : parseName(WEBHOOK_EVENTS, name, 'event');
}

/** A secret whose key is not empty; the secret may be the key's base64 text. Fails with invalid_property. */
export function parseSecret(secret: string): string {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : undefined;
  const isEmpty = encoded === undefined ? secret.trim() === '' : Buffer.from(encoded, 'base64').length === 0;
  if (isEmpty) return invalid('secret', 'must not be empty.');
  if (countCharacters(secret) > limits.webhookSecret) return invalid('secret', 'is too long.');
  return secret;
}

function parseVersion({ version }: Wire, fields: Fields): string {
  return parseName([version], requiredText(fields, 'version'), 'version');
}

function parseTargetUrl(text: string, { allowHttp }: TargetRules): string {
  const url = URL.parse(text);
  if (!url || text.length > limits.webhookTargetUrl || !isStorableText(text))
    return invalid('target_url', 'must be an absolute address.');
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return invalid('target_url', 'must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') return invalid('target_url', 'must hold no credentials.');
  return text;
}

function parseEvents(given: unknown): WebhookEvent[] {
  if (!Array.isArray(given) || given.length === 0) return invalid('events', 'must be a list of event names.');
  return [...new Set(given.map((name: unknown) => parseName(WEBHOOK_EVENTS, name, 'events')))];
}

function parseConfig(given: unknown): JsonObject | null {
  if (given == null) return null;
  if (!isFields(given)) return invalid('config', 'must be an object.');
  if (Buffer.byteLength(JSON.stringify(given)) > limits.webhookConfigBytes)
    return invalid('config', `must have at most ${limits.webhookConfigBytes} bytes.`);
  return given as JsonObject;
}
