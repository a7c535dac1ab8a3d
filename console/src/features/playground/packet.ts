/** A packet of a socket, decoded. `content` is the text itself where it is no JSON. */
export type Packet = {
  id: number;
  at: Date;
  isSent: boolean;
  title: string;
  counter: number | undefined;
  content: unknown;
};

type Decoded = {
  type?: string;
  counter?: number;
  body?: {
    operation?: string;
    method?: string;
    type?: string;
    object?: { type?: string };
    data?: { action?: string };
  };
};

export function decodePacket(text: string, { id, isSent }: Pick<Packet, 'id' | 'isSent'>): Packet {
  const at = new Date();
  try {
    const content: Decoded = JSON.parse(text);
    return { id, isSent, at, title: titleOf(content), counter: content.counter, content };
  } catch {
    return { id, isSent, at, title: 'no JSON', counter: undefined, content: text };
  }
}

function titleOf({ type, body = {} }: Decoded): string {
  const words = [type, body.operation, body.object?.type, body.method, body.type, body.data?.action];
  return words.filter((word) => typeof word === 'string').join(' ') || 'a packet';
}
