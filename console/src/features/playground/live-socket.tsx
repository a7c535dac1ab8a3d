import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { JsonBlock } from '../../ui/code-block.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Empty, Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Login } from './demonstration-login.ts';
import type { Packet } from './packet.ts';
import { useSocket, type SocketState } from './use-socket.ts';

const EXAMPLE = JSON.stringify({ type: 'request', body: { request_id: 1, method: 'Counter.read' } });

/** A socket of the user: what comes over it and goes into it, decoded, the newest first. */
export function LiveSocket({ login }: { login: Login }) {
  const { state, packets, send, reopen } = useSocket(login);
  const [shown, setShown] = useState<Packet>();
  return (
    <Section title="Live socket" actions={<State state={state} reopen={reopen} />}>
      <Stack>
        <Packets packets={packets} show={setShown} />
        {shown && <JsonBlock value={shown.content} label={`Packet: ${shown.title}`} />}
        <PacketForm send={send} isOpen={state === 'open'} />
      </Stack>
    </Section>
  );
}

function State({ state, reopen }: { state: SocketState; reopen: () => void }) {
  return (
    <Group gap="sm">
      <Tag tone={state === 'open' ? 'good' : 'neutral'} role="status">
        {state}
      </Tag>
      {state === 'closed' && (
        <Button size="xs" variant="default" onClick={reopen}>
          Open again
        </Button>
      )}
    </Group>
  );
}

type PacketsProps = { packets: readonly Packet[]; show: (packet: Packet) => void };

function Packets({ packets, show }: PacketsProps) {
  const columns = useMemo(() => columnsOf(show), [show]);
  return (
    <FilteredTable
      label="Packets"
      rows={packets}
      columns={columns}
      idOf={({ id }) => String(id)}
      filter={{
        name: 'packets',
        hint: 'Filter by packet or content',
        textsOf: ({ title, content }) => [title, JSON.stringify(content)],
      }}
      icon="playground"
      empty={<Empty icon="playground" title="No packet passed yet" />}
    />
  );
}

function columnsOf(show: PacketsProps['show']): Column<Packet>[] {
  return [
    {
      id: 'at',
      header: 'At',
      width: '100px',
      isWide: true,
      cell: ({ at }) => at.toLocaleTimeString('en-GB'),
    },
    { id: 'way', header: 'Way', width: '60px', cell: ({ isSent }) => (isSent ? 'sent' : 'got') },
    {
      id: 'title',
      header: 'Packet',
      width: '2fr',
      cell: (packet) => (
        <button type="button" className="cell-button" onClick={() => show(packet)}>
          {packet.title}
        </button>
      ),
    },
    { id: 'counter', header: 'Counter', width: '80px', cell: ({ counter }) => counter ?? '' },
  ];
}

function PacketForm({ send, isOpen }: { send: (text: string) => void; isOpen: boolean }) {
  const [text, setText] = useState(EXAMPLE);
  return (
    <Form
      submit={() => send(text)}
      submitLabel="Send the packet"
      submitProps={{ variant: 'default', disabled: !isOpen }}
    >
      <Textarea
        label="Packet to send"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        required
        autosize
        minRows={2}
        maxRows={10}
        classNames={{ input: 'code-input' }}
      />
    </Form>
  );
}
