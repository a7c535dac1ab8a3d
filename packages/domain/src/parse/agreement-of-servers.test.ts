import { PUBLIC_KEY } from '@parley/contract/examples/export';
import { AppSettingsPatch } from '@parley/contract/records/app-settings';
import { ReplayInput } from '@parley/contract/records/delivery';
import { ExportKeyInput, ExportScheduleInput } from '@parley/contract/records/export';
import { BadgeInput } from '@parley/contract/records/user';
import { SecretInput, WebhookChanges, WebhookInput } from '@parley/contract/records/webhook';
import { limits } from '@parley/contract/limits';
import { describeAgreement, wholeOf } from '../testing/agreement.ts';
import { wire } from '../testing/samples.ts';
import { parseAppSettings } from './app-settings.ts';
import { parseBadge } from './badge.ts';
import { checkConveyable } from './conveyable.ts';
import { parseExportKey, parseExportSchedule } from './export.ts';
import { isFields, parseObject } from './fields.ts';
import { parseReplay } from './replay.ts';
import { parseSecretInput, parseWebhook, parseWebhookChanges } from './webhook.ts';

const RULES = { allowHttp: false };
const SETTINGS = ['session_ttl_in_seconds', 'inline_body_bytes', 'public_identity_fields', 'user_directory'];

/** Lists without repeated items, as required by `uniqueItems` in the schema. */
function withoutRepeats(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((step: unknown) =>
    isFields(step) && Array.isArray(step['value']) ? { ...step, value: [...new Set(step['value'])] } : step,
  );
}

describeAgreement('settings of an app', {
  schema: AppSettingsPatch,
  parse: parseAppSettings,
  adjust: withoutRepeats,
  properties: (path) => {
    if (path === '') return [String(limits.patchOperations)];
    return /[.]value([.]|$)/.test(path) ? [path, ...SETTINGS] : [path];
  },
});

describeAgreement('a badge', { schema: BadgeInput, parse: parseBadge });

describeAgreement('a webhook', {
  schema: WebhookInput,
  parse: (body) => parseWebhook(wire, checkConveyable(parseObject(body)), RULES),
  adjust: withKey,
  properties: wholeOf('events'),
});

describeAgreement('changes of a webhook', {
  schema: WebhookChanges,
  parse: (body) => parseWebhookChanges(checkConveyable(parseObject(body)), RULES),
  adjust: withKey,
  properties: wholeOf('events'),
});

describeAgreement('a new secret', { schema: SecretInput, parse: parseSecretInput, adjust: withKey });

describeAgreement('deliveries to send again', { schema: ReplayInput, parse: (body) => parseReplay(body, 0) });

describeAgreement('a key of exports', {
  schema: ExportKeyInput,
  parse: parseExportKey,
  adjust: (body) => (isFields(body) ? { ...body, public_key: PUBLIC_KEY } : body),
});

describeAgreement('a schedule of exports', {
  schema: ExportScheduleInput,
  parse: parseExportSchedule,
  properties: wholeOf('events'),
});

/** White space alone is no secret. */
function withKey(body: unknown): unknown {
  if (!isFields(body) || typeof body['secret'] !== 'string') return body;
  return { ...body, secret: `key ${body['secret']}`.slice(0, limits.webhookSecret) };
}
