import '@mantine/core/styles/NumberInput.css';
import { Autocomplete, Button, Group, NumberInput, Stack, Textarea } from '@mantine/core';
import type { Conversation } from '@parley/contract/gen/records';
import { useState, type FormEvent } from 'react';
import { userName } from '../../api/path.ts';
import { rest, wireNameOf, type AppIds } from '../../api/rest.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';

type Props = { app: AppIds; conversation: Conversation; path: string };

const LONGEST_DELAY_S = 300;

export function SendMessage({ app, conversation, path }: Props) {
  const [sender, setSender] = useState('');
  const [text, setText] = useState('');
  const [delay, setDelay] = useState<number | string>('');
  const send = useAction({
    run: () =>
      rest(app, `${path}/messages`, {
        method: 'POST',
        body: {
          sender_id: sender,
          parts: [{ mime_type: 'text/plain', body: text }],
          ...(delay !== '' && { schedule: { delay_in_seconds: Number(delay) } }),
        },
      }),
    done: delay === '' ? 'The message was sent.' : 'The message was scheduled.',
    changes: [
      ['rest', app.appUuid, `${path}/messages`],
      ['rest', app.appUuid, `${path}/scheduled_messages`],
    ],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(undefined, { onSuccess: () => setText('') });
  };
  return (
    <Section title="Send a message">
      <form onSubmit={submit}>
        <Stack>
          <SenderAndDelay {...{ app, conversation, sender, setSender, delay, setDelay }} />
          <Textarea
            label="Text"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            required
            autosize
            minRows={2}
            maxRows={8}
          />
          {send.error && <FailureNote error={send.error} title="Failed to send the message" />}
          <Group>
            <Button type="submit" loading={send.isPending}>
              {delay === '' ? 'Send' : 'Schedule'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function SenderAndDelay({
  app,
  conversation,
  sender,
  setSender,
  delay,
  setDelay,
}: {
  app: AppIds;
  conversation: Conversation;
  sender: string;
  setSender: (sender: string) => void;
  delay: number | string;
  setDelay: (delay: number | string) => void;
}) {
  return (
    <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
      <Autocomplete
        label="Sender"
        description="A participant, or the user id of a bot."
        data={conversation.participants.map(({ user_id }) => userName(user_id, wireNameOf(app)))}
        value={sender}
        onChange={setSender}
        required
        miw={200}
      />
      <NumberInput
        label="Delay in seconds"
        description="1 to 300; empty: it is sent at once."
        value={delay}
        onChange={setDelay}
        min={1}
        max={LONGEST_DELAY_S}
        miw={200}
      />
    </Group>
  );
}
