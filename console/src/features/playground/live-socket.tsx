import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useMemo, useState, type FormEvent } from 'react';
import { socketAddress } from '../../api/api-url.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { Empty, Section } from '../../ui/page.tsx';
import type { Login } from './demonstration-login.ts';
import { decodePacket, type Packet } from './packet.ts';
import { Tag } from '../../ui/tag.tsx';

const KEPT = 1_000;
const EXAMPLE = JSON.stringify({ type: 'request', body: { request_id: 1, method: 'Counter.read' } });

type SocketState = 'connecting' | 'open' | 'closed';

/** A socket of the user: what comes over it and goes into it, decoded, the newest first. */
export function LiveSocket({ login }: { login: Login }) {
  const { state, packets, send, reopen } = useSocket(login);
  const [shown, setShown] = useState<Packet>();
  const columns = useMemo(() => columnsOf(setShown), []);
  return (
    <Section
      title="Live socket"
      actions={
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
      }
    >
      <Stack>
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
        {shown && <JsonBlock value={shown.content} label={`Packet: ${shown.title}`} />}
        <PacketForm send={send} isOpen={state === 'open'} />
      </Stack>
    </Section>
  );
}

function PacketForm({ send, isOpen }: { send: (text: string) => void; isOpen: boolean }) {
  const [text, setText] = useState(EXAMPLE);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(text);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
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
        <Group>
          <Button type="submit" variant="default" disabled={!isOpen}>
            Send the packet
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function columnsOf(show: (packet: Packet) => void): Column<Packet>[] {
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

function useSocket({ token, wire }: Login) {
  const [state, setState] = useState<SocketState>('connecting');
  const [packets, setPackets] = useState<readonly Packet[]>([]);
  const [opened, setOpened] = useState(0);
  const [socket, setSocket] = useState<WebSocket>();
  useEffect(() => {
    const fresh = new WebSocket(socketAddress(), [`${wire}-3.1`, `${wire}-token.${token}`]);
    fresh.addEventListener('open', () => setState('open'));
    fresh.addEventListener('close', () => setState('closed'));
    fresh.addEventListener('message', ({ data }) => setPackets(withPacket(String(data), false)));
    setSocket(fresh);
    return () => fresh.close();
  }, [token, wire, opened]);
  return {
    state,
    packets,
    send: (text: string) => {
      socket?.send(text);
      setPackets(withPacket(text, true));
    },
    reopen: () => {
      setState('connecting');
      setOpened(opened + 1);
    },
  };
}

function withPacket(text: string, isSent: boolean) {
  return (packets: readonly Packet[]): readonly Packet[] => {
    const id = (packets[0]?.id ?? 0) + 1;
    return [decodePacket(text, { id, isSent }), ...packets.slice(0, KEPT - 1)];
  };
}
