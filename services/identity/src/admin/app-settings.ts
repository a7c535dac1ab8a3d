import { limits } from '@parley/contract/limits';
import { USER_DIRECTORIES } from '@parley/contract/records/app-settings';
import { PRIVATE_IDENTITY_FIELDS } from '@parley/contract/records/identity';
import { isOrigin } from '@parley/domain/http/origins';
import { parseName } from '@parley/domain/parse/choice';
import { arePrivateIdentityFields } from '@parley/domain/json/identity';
import { fail } from '@parley/domain/problems';
import { audit, type AuditedAction } from './audit.ts';
import type { Context } from '../context.ts';
import { revokeApp } from '../session/sessions.ts';
import { updateApp, type AppRow, type AppSettings } from '../sql/app.ts';

/** docs/protocol/administration.md#settings-of-an-application */
const SESSION_TTL_IN_SECONDS = { min: limits.minSessionSeconds, max: limits.maxSessionSeconds };

export type SettingsChange = { appId: string; actor: AuditedAction['actor']; settings: AppSettings };

/** Returns undefined if there is no such application. Fails with invalid_property. */
export async function changeAppSettings(ctx: Context, change: SettingsChange): Promise<AppRow | undefined> {
  const { appId, actor, settings } = change;
  checkSettings(settings);
  return ctx.db.tx(async (tx) => {
    const app = await updateApp(tx, appId, settings);
    if (!app) return undefined;
    await revokeApp(ctx, tx, appId);
    await audit(ctx, tx, { appId, action: 'app.updated', actor, subject: appId });
    return app;
  });
}

const INLINE_BODY_BYTES = { min: limits.inlineBodyBytes, max: limits.maxInlineBodyBytes };

function checkSettings(settings: AppSettings): void {
  const { sessionTtlInSeconds, allowedOrigins, inlineBodyBytes, publicIdentityFields, userDirectory } =
    settings;
  requireWholeNumber('session_ttl_in_seconds', sessionTtlInSeconds, SESSION_TTL_IN_SECONDS);
  requireWholeNumber('inline_body_bytes', inlineBodyBytes, INLINE_BODY_BYTES);
  if (publicIdentityFields && !arePrivateIdentityFields(publicIdentityFields)) {
    fail('invalid_property', {
      property: 'public_identity_fields',
      message: `public_identity_fields must be a list of ${PRIVATE_IDENTITY_FIELDS.join(' and ')}, each at most once.`,
    });
  }
  if (userDirectory !== undefined) parseName(USER_DIRECTORIES, userDirectory, 'user_directory');
  if (!allowedOrigins) return;
  if (allowedOrigins.length > limits.allowedOrigins || !allowedOrigins.every(isOrigin)) {
    fail('invalid_property', {
      property: 'allowed_origins',
      message: `allowed_origins must be at most ${limits.allowedOrigins} origins, such as https://app.example.com.`,
    });
  }
}

function requireWholeNumber(
  property: string,
  value: number | undefined,
  { min, max }: { min: number; max: number },
): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  fail('invalid_property', {
    property,
    message: `${property} must be a whole number from ${min} to ${max}.`,
  });
}
