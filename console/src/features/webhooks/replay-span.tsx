import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { rest, type AppIds } from '../../api/rest.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A time as a field of the browser has it: local, in minutes. */
function localMinutes(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * MINUTE_MS;
  return new Date(time - offset).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length);
}

/** Replays all deliveries of the events of a time. */
export function ReplaySpan({ app, path }: { app: AppIds; path: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [from, setFrom] = useState(() => localMinutes(Date.now() - DAY_MS));
  const [until, setUntil] = useState(() => localMinutes(Date.now() + MINUTE_MS));
  const [status, setStatus] = useState('dead');
  const action = useAction({
    run: () =>
      rest<{ count: number }>(app, `${path}/deliveries/replay`, {
        method: 'POST',
        isOfWebhooks: true,
        body: { from: new Date(from).toISOString(), until: new Date(until).toISOString(), status },
      }),
    changes: [['rest', app.appUuid]],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ data }) => {
        announce(`${data.count} deliveries are replayed.`);
        close();
      },
    });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Replay a span
      </Button>
      <FormModal
        title="Replay the deliveries of a span"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Replay"
        action={action}
      >
        <Text size="sm">
          The target gets them once more, under the same ids, and with the whole schedule of attempts.
        </Text>
        <SegmentedControl
          aria-label="Which deliveries"
          value={status}
          onChange={setStatus}
          data={[
            { value: 'dead', label: 'Dead letters' },
            { value: 'delivered', label: 'Delivered' },
          ]}
        />
        <TimeField label="Events from" value={from} change={setFrom} />
        <TimeField label="Until" value={until} change={setUntil} />
      </FormModal>
    </>
  );
}

function TimeField({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (value: string) => void;
}) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      required
    />
  );
}
