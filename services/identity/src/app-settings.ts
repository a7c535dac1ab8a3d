import { limits } from '@parley/domain/limits';
import { isOrigin } from '@parley/domain/origins';
import { fail } from '@parley/domain/problems';
import { audit, type AuditedAction } from './audit.ts';
import type { Context } from './context.ts';
import { revokeApp } from './sessions.ts';
import { updateApp, type AppRow, type AppSettings } from './sql/app.ts';

/** SPEC completions 5 */
export const SESSION_TTL_IN_SECONDS = { min: 30, max: 31_536_000, default: 2_592_000 };

export type SettingsChange = { appId: string; actor: AuditedAction['actor']; settings: AppSettings };

/** Undefined when there is no such app. Fails with invalid_property. */
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

function checkSettings({ sessionTtlInSeconds, allowedOrigins }: AppSettings): void {
  const { min, max } = SESSION_TTL_IN_SECONDS;
  if (sessionTtlInSeconds !== undefined && !isWholeNumberWithin(sessionTtlInSeconds, min, max)) {
    fail('invalid_property', {
      property: 'session_ttl_in_seconds',
      message: `session_ttl_in_seconds must be a whole number from ${min} to ${max}`,
    });
  }
  if (!allowedOrigins) return;
  if (allowedOrigins.length > limits.allowedOrigins || !allowedOrigins.every(isOrigin)) {
    fail('invalid_property', {
      property: 'allowed_origins',
      message: `allowed_origins must be at most ${limits.allowedOrigins} origins, such as https://app.example.com`,
    });
  }
}

function isWholeNumberWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
