import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { named, only } from '../schema/schema.ts';

const OPERATION = only('set', 'Gives the setting a value.');

export const AppSettingStep = named(
  'AppSettingStep',
  Type.Union(
    [
      Type.Object({
        operation: OPERATION,
        property: only('session_ttl_in_seconds', 'How long new sessions last.'),
        value: Type.Integer({
          minimum: limits.minSessionSeconds,
          maximum: limits.maxSessionSeconds,
          description: `Seconds, by default ${limits.defaultSessionSeconds}.`,
        }),
      }),
      Type.Object({
        operation: OPERATION,
        property: only('inline_body_bytes', 'The largest inline body of a message part.'),
        value: Type.Integer({
          minimum: limits.inlineBodyBytes,
          maximum: limits.maxInlineBodyBytes,
          description: `Bytes of UTF-8, by default ${limits.inlineBodyBytes}.`,
        }),
      }),
    ],
    { description: 'One changed setting of the app.' },
  ),
);

export const AppSettingsPatch = Type.Array(AppSettingStep, {
  maxItems: limits.patchOperations,
  description: 'Settings to change; the last value of a setting counts.',
});
export type AppSettingsPatch = Static<typeof AppSettingsPatch>;
