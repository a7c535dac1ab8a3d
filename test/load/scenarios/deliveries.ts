import type { BenchSocket } from '../client.ts';

/** A conversation in which one participant sends and others receive. */
export type Channel = {
  send(): Promise<unknown>;
  /** Called when the oldest message that was not complete yet has reached all recipients. */
  onComplete: () => void;
};

const CREATED = '"operation":"create","object":{"type":"Message"';
const DATA = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});

/**
 * A channel from a socket to recipients' sockets that receive nothing but its messages. Messages of a conversation arrive
 * in order, so the n-th packet of a recipient is the n-th message: no message has to be parsed.
 */
export function createChannel(
  sender: BenchSocket,
  conversation: string,
  recipients: readonly BenchSocket[],
): Channel {
  const object = `svc:///conversations/${conversation}`;
  const channel: Channel = {
    send: () => sender.request('Message.create', object, DATA),
    onComplete: () => undefined,
  };
  // Recipients that a message lacks, for each that is under way; `first` is the number of the oldest.
  const lacking: number[] = [];
  let first = 0;
  function note(message: number): void {
    const index = message - first;
    lacking[index] = (lacking[index] ?? recipients.length) - 1;
    while (lacking[0] === 0) {
      lacking.shift();
      first += 1;
      channel.onComplete();
    }
  }
  for (const recipient of recipients) {
    let received = 0;
    recipient.onPacket((text) => {
      if (text.includes(CREATED)) note(received++);
    });
  }
  return channel;
}

export type Load = {
  /** Messages in all channels together. */
  total: number;
  /** Messages of each channel that are under way at any time. */
  outstanding: number;
};

/**
 * Sends in all channels at once; a message makes room for the next when all recipients have it. Resolves with the times
 * from each send to the last recipient in milliseconds, the shortest first; rejects when a send is refused.
 */
export function driveDeliveries(
  channels: readonly Channel[],
  { total, outstanding }: Load,
): Promise<number[]> {
  const times: number[] = [];
  let sent = 0;
  return new Promise((resolve, reject) => {
    function begin(channel: Channel, begun: number[]): void {
      if (sent >= total) return;
      sent += 1;
      begun.push(performance.now());
      channel.send().catch(reject);
    }
    for (const channel of channels) {
      const begun: number[] = [];
      channel.onComplete = () => {
        times.push(performance.now() - (begun.shift() ?? NaN));
        if (times.length === total) resolve(times.sort((a, b) => a - b));
        else begin(channel, begun);
      };
      for (let index = 0; index < outstanding; index++) begin(channel, begun);
    }
  });
}
