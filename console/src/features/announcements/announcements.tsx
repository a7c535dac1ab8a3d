import '@mantine/core/styles/Progress.css';
import { Button, Group, Progress, SegmentedControl, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Empty, Page, Section } from '../../ui/page.tsx';
import { useSending, type Draft } from './sending.ts';

export function AnnouncementsPage() {
  const app = useApp();
  const mayWrite = useMay('operator', app.appUuid);
  return (
    <Page
      title="Announcements"
      about="A message to many users at once, outside conversations. Each recipient gets it once, and reads or deletes it alone."
    >
      {mayWrite ? (
        <Compose key={app.appUuid} />
      ) : (
        <Empty icon="announcements" title="Your role only reads">
          An operator of the application can send announcements.
        </Empty>
      )}
    </Page>
  );
}

const NO_DRAFT: Draft = { sender: '', text: '', title: '', audience: 'all', recipients: '' };

function Compose() {
  const app = useApp();
  const [draft, setDraft] = useState(NO_DRAFT);
  const sending = useSending(app);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.start(draft);
  };
  return (
    <Section title="Compose">
      <form onSubmit={submit}>
        <Stack maw={640}>
          <TextInput
            label="Sender"
            description="The user id of a user or a bot of the application."
            value={draft.sender}
            onChange={(event) => set({ sender: event.currentTarget.value })}
            required
          />
          <Recipients draft={draft} set={set} />
          <Textarea
            label="Text"
            value={draft.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
            required
            autosize
            minRows={3}
            maxRows={12}
          />
          <TextInput
            label="Title of the push"
            description="Empty: no push is sent. The text of the push is the text above."
            value={draft.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <Group>
            <Button type="submit" loading={sending.isRunning}>
              Send
            </Button>
            {sending.isRunning && (
              <Button variant="default" onClick={sending.stop}>
                Stop
              </Button>
            )}
          </Group>
          <SendingState sending={sending} />
        </Stack>
      </form>
    </Section>
  );
}

function Recipients({ draft, set }: { draft: Draft; set: (change: Partial<Draft>) => void }) {
  return (
    <>
      <Stack gap={6}>
        <Text size="sm" fw={500}>
          Recipients
        </Text>
        <SegmentedControl
          aria-label="Recipients"
          value={draft.audience}
          onChange={(audience) => set({ audience: audience === 'all' ? 'all' : 'some' })}
          data={[
            { value: 'all', label: 'All users' },
            { value: 'some', label: 'Some users' },
          ]}
        />
      </Stack>
      {draft.audience === 'some' && (
        <Textarea
          label="User ids"
          description="One in each line."
          value={draft.recipients}
          onChange={(event) => set({ recipients: event.currentTarget.value })}
          required
          autosize
          minRows={3}
          maxRows={10}
        />
      )}
    </>
  );
}

function SendingState({ sending }: { sending: ReturnType<typeof useSending> }) {
  const { progress, error, isRunning, resume } = sending;
  if (!progress) return null;
  const { sent, total, isComplete } = progress;
  return (
    <Stack gap="xs">
      <Progress
        value={total === 0 ? 100 : (sent / total) * 100}
        aria-label="Recipients that the platform has accepted"
      />
      <Text size="sm" role="status">
        {isComplete
          ? `The platform has accepted the announcement for ${sent.toLocaleString('en')} recipients.`
          : `Accepted for ${sent.toLocaleString('en')} of about ${total.toLocaleString('en')} recipients.`}
      </Text>
      {error !== null && <FailureNote error={error} title="Failed to send to all recipients" />}
      {!isComplete && !isRunning && (
        <Group>
          <Button variant="default" onClick={resume}>
            Continue with the others
          </Button>
        </Group>
      )}
    </Stack>
  );
}
