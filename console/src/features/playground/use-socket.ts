import { useEffect, useState } from 'react';
import { socketAddress } from '../../api/api-url.ts';
import type { Login } from './demonstration-login.ts';
import { decodePacket, type Packet } from './packet.ts';

const KEPT = 1_000;

export type SocketState = 'connecting' | 'open' | 'closed';

/** A socket of the user; `packets`: those that passed, the newest first. */
export function useSocket({ token, wire }: Login) {
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
