import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect, TextInput } from '@mantine/core';
import type { WebhookEventName } from '@parley/contract/gen/records';

/** Of each event whether a new webhook gets it by default. The compiler finds one that is missing. */
const EVENTS = {
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
  'Participation.deleted': false,
  'Identity.created': false,
  'Identity.updated': false,
  'Push.delivered': false,
  'Push.failed': false,
} satisfies Record<WebhookEventName, boolean>;
export const EVENT_NAMES = Object.keys(EVENTS);
export const DEFAULT_EVENTS = Object.entries(EVENTS).flatMap(([name, isDefault]) =>
  isDefault ? [name] : [],
);

type Props = {
  target: string;
  setTarget: (target: string) => void;
  events: string[];
  setEvents: (events: string[]) => void;
};

/** The target and the events of a webhook that is registered or changed. */
export function WebhookFields({ target, setTarget, events, setEvents }: Props) {
  return (
    <>
      <TextInput
        type="url"
        label="Target"
        description="An https address. It is asked for a challenge at once, and answers with the text of verification_challenge."
        placeholder="https://app.example.com/notices"
        value={target}
        onChange={(event) => setTarget(event.currentTarget.value)}
        required
        data-autofocus
      />
      <MultiSelect
        label="Events"
        data={EVENT_NAMES}
        value={events}
        onChange={setEvents}
        searchable
        required
        hidePickedOptions
      />
    </>
  );
}
