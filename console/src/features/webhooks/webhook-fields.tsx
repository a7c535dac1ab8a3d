import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect, TextInput } from '@mantine/core';
import type { WebhookEventName } from '@parley/contract/gen/records';
import type { FormValues } from '../../ui/form/use-values.ts';
import { namesIn } from '../../ui/names-in.ts';

/** Each event, and whether a new webhook gets it by default. The compiler finds one that is missing. */
const EVENTS: Record<WebhookEventName, boolean> = {
  'Message.created': true,
  'Message.updated': false,
  'Message.deleted': false,
  'MessagePart.created': false,
  'MessagePart.updated': false,
  'MessagePart.deleted': false,
  'Receipt.created': false,
  'Conversation.created': false,
  'Conversation.updated': false,
  'Conversation.deleted': false,
  'Participation.created': false,
  'Participation.updated': false,
  'Participation.deleted': false,
  'Reaction.created': false,
  'Reaction.deleted': false,
  'Restriction.created': false,
  'Restriction.deleted': false,
  'Identity.created': false,
  'Identity.updated': false,
  'Push.delivered': false,
  'Push.failed': false,
};
export const EVENT_NAMES = namesIn(EVENTS);
export const DEFAULT_EVENTS = EVENT_NAMES.filter((name) => EVENTS[name]);

/** Address that a webhook calls, and the events for which it does. */
export type Target = { url: string; events: WebhookEventName[] };

/** The target and the events of a webhook that is registered or changed. */
export function WebhookFields({ text, choice }: Pick<FormValues<Target>, 'text' | 'choice'>) {
  return (
    <>
      <TextInput
        {...text('url')}
        type="url"
        label="Target"
        description="An https address. It is asked for a challenge at once, and answers with the text of verification_challenge."
        placeholder="https://app.example.com/notices"
        required
        data-autofocus
      />
      <MultiSelect
        {...choice('events')}
        label="Events"
        data={EVENT_NAMES}
        searchable
        required
        hidePickedOptions
      />
    </>
  );
}
