import { AppSettingsPatch } from '../records/app-settings.ts';
import type { Operations } from './operation.ts';

export const APPLICATION = {
  updateApp: {
    route: 'PATCH /apps/:app_uuid',
    docs: 'users.md#settings-that-servers-change',
    auth: 'bearer',
    operator: 'operator: none',
    summary: 'Change settings of the app',
    tag: 'Application',
    description: 'Changes settings of the app. A new session lifetime holds for new sessions.',
    body: {
      schema: AppSettingsPatch,
      example: [{ operation: 'set', property: 'session_ttl_in_seconds', value: 86_400 }],
      required: true,
    },
    success: { 202: { description: 'The settings are changed.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
} satisfies Operations;
