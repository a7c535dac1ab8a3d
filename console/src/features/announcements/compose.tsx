import '@mantine/core/styles/Progress.css';
import { Button, Group, Progress, SegmentedControl, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useApp } from '../../frame/app-frame.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useValues, type FormValues } from '../../ui/form/use-values.ts';
import { Section } from '../../ui/page.tsx';
import { useSending, type Draft } from './sending.ts';

const NO_DRAFT: Draft = { sender: '', text: '', title: '', audience: 'all', recipients: '' };
const AUDIENCES: { value: Draft['audience']; label: string }[] = [
  { value: 'all', label: 'All users' },
  { value: 'some', label: 'Some users' },
];

export function Compose() {
  const form = useValues(NO_DRAFT);
  const sending = useSending(useApp());
  const { isRunning, start, stop } = sending;
  const stopButton = (
    <Button variant="default" onClick={stop}>
      Stop
    </Button>
  );
  return (
    <Section title="Compose">
      <Form
        maw={640}
        submit={() => start(form.values)}
        submitLabel="Send"
        submitProps={{ loading: isRunning }}
        beside={isRunning && stopButton}
        result={<SendingState sending={sending} />}
      >
        <ComposeFields {...form} />
      </Form>
    </Section>
  );
}

function ComposeFields(form: FormValues<Draft>) {
  return (
    <>
      <TextInput
        {...form.text('sender')}
        label="Sender"
        description="The user id of a user or a bot of the application."
        required
      />
      <Recipients {...form} />
      <Textarea {...form.text('text')} label="Text" required autosize minRows={3} maxRows={12} />
      <TextInput
        {...form.text('title')}
        label="Title of the push"
        description="Empty: no push is sent. The text of the push is the text above."
      />
    </>
  );
}

function Recipients({ values, text, choice }: FormValues<Draft>) {
  return (
    <>
      <Stack gap={6}>
        <Text size="sm" fw={500}>
          Recipients
        </Text>
        <SegmentedControl {...choice('audience')} aria-label="Recipients" data={AUDIENCES} />
      </Stack>
      {values.audience === 'some' && (
        <Textarea
          {...text('recipients')}
          label="User ids"
          description="One in each line."
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
