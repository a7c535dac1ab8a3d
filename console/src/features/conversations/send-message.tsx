import '@mantine/core/styles/NumberInput.css';
import { Autocomplete, Group, NumberInput, Textarea } from '@mantine/core';
import type { Conversation, ServerMessageInput } from '@parley/contract/gen/records';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { userName } from '../../api/path.ts';
import { writeServer } from '../../api/server.ts';
import { Form } from '../../ui/form/form.tsx';
import { useValues, type FormValues } from '../../ui/form/use-values.ts';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { messagesQuery, scheduledQuery } from './queries.ts';

type Props = { app: AppIds; id: string; conversation: Conversation };
/** `delay`: in seconds; empty: the message is sent at once. */
type Draft = { sender: string; text: string; delay: number | string };

const LONGEST_DELAY_S = 300;
const NO_DRAFT: Draft = { sender: '', text: '', delay: '' };

function messageOf({ sender, text, delay }: Draft): ServerMessageInput {
  return {
    sender_id: sender,
    parts: [{ mime_type: 'text/plain', body: text }],
    ...(delay !== '' && { schedule: { delay_in_seconds: Number(delay) } }),
  };
}

export function SendMessage({ app, id, conversation }: Props) {
  const form = useValues(NO_DRAFT);
  const isAtOnce = form.values.delay === '';
  const send = useAction({
    run: () => writeServer(app, (server) => server.sendMessage(id, messageOf(form.values))),
    done: isAtOnce ? 'The message was sent.' : 'The message was scheduled.',
    changes: [messagesQuery(app, id).queryKey, scheduledQuery(app, id).queryKey],
  });
  return (
    <Section title="Send a message">
      <Form
        submit={() => send.mutate(undefined, { onSuccess: () => form.change({ text: '' }) })}
        submitLabel={isAtOnce ? 'Send' : 'Schedule'}
        action={send}
        failureTitle="Failed to send the message"
      >
        <SenderAndDelay {...{ app, conversation, form }} />
        <Textarea {...form.text('text')} label="Text" required autosize minRows={2} maxRows={8} />
      </Form>
    </Section>
  );
}

type FieldsProps = Pick<Props, 'app' | 'conversation'> & { form: FormValues<Draft> };

function SenderAndDelay({ app, conversation, form }: FieldsProps) {
  return (
    <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
      <Autocomplete
        {...form.choice('sender')}
        label="Sender"
        description="A participant, or the user id of a bot."
        data={conversation.participants.map(({ user_id }) => userName(user_id, wireNameOf(app)))}
        required
        miw={200}
      />
      <NumberInput
        {...form.choice('delay')}
        label="Delay in seconds"
        description="1 to 300; empty: it is sent at once."
        min={1}
        max={LONGEST_DELAY_S}
        miw={200}
      />
    </Group>
  );
}
