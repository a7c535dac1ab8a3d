import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { UUID } from '../patterns.ts';
import { EXAMPLE, url } from '../schema/ids.ts';
import { mapOf, named, nullable, oneOf, optional, text, time } from '../schema/schema.ts';
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '../values.ts';

export const WebhookEventName = named('WebhookEventName', oneOf(WEBHOOK_EVENTS, 'What happened.'));
export type WebhookEventName = Static<typeof WebhookEventName>;

/** URI of a webhook. */
export const WEBHOOK_URI = Type.String({
  pattern: `^svc:///apps/${UUID}/webhooks/${UUID}$`,
  description: 'URI of the webhook.',
  examples: [`svc:///apps/${EXAMPLE.app}/webhooks/${EXAMPLE.webhook}`],
});

const CONFIG = mapOf(Type.Unknown(), {
  description: `Any values of the application, at most ${limits.webhookConfigBytes} bytes as JSON; each notice repeats them.`,
  examples: [{ tenant: 'blue' }],
});

const EVENTS = Type.Array(WebhookEventName, { minItems: 1, description: 'The events to be notified of.' });

const TARGET_URL = Type.String({
  format: 'uri',
  maxLength: limits.webhookTargetUrl,
  description: 'Where notices go: an HTTPS address of the public internet without credentials.',
  examples: ['https://app.example.com/notices', 'https://hooks.example.com:8443/chat?app=1'],
});

const SECRET = text(
  'The key of the signatures, kept secret by both sides. After `whsec_` the rest is base64 of the key.',
  limits.webhookSecret,
  1,
);

export const Webhook = named(
  'Webhook',
  Type.Object(
    {
      id: WEBHOOK_URI,
      url: url('Where the webhook is read.'),
      version: Type.String({ description: 'Version of the notices.', examples: ['3.0'] }),
      target_url: Type.String({ description: 'Where notices go.' }),
      events: Type.Array(WebhookEventName),
      status: oneOf(
        WEBHOOK_STATUSES,
        'Notices are sent while it is `active`; `unverified` waits for the target to echo a challenge.',
      ),
      status_reason: nullable(Type.String({ description: 'Why it is not active.' })),
      config: nullable(CONFIG),
      created_at: time('When the webhook was registered.'),
    },
    { description: 'A registered target of events. Its secret is never shown.' },
  ),
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = named(
  'WebhookWithSecret',
  Type.Object(
    {
      ...Webhook.properties,
      secret: Type.String({ description: 'The new secret, shown this once.' }),
    },
    { description: 'A webhook right after its secret was rotated.' },
  ),
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookInput = named(
  'WebhookInput',
  Type.Object(
    {
      version: oneOf(['3.0'], 'Version of the notices.'),
      target_url: TARGET_URL,
      events: EVENTS,
      secret: SECRET,
      config: optional(CONFIG),
    },
    { description: 'A webhook to register.' },
  ),
);
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookChanges = named(
  'WebhookChanges',
  Type.Object(
    {
      target_url: optional(TARGET_URL),
      events: optional(EVENTS),
      secret: optional(SECRET),
      config: optional(CONFIG),
    },
    { description: 'The properties to change; what is left out or null stays, but null removes `config`.' },
  ),
);
export type WebhookChanges = Static<typeof WebhookChanges>;

export const SecretInput = named(
  'SecretInput',
  Type.Object({ secret: optional(SECRET) }, { description: 'The new secret; made when it is left out.' }),
);
export type SecretInput = Static<typeof SecretInput>;
