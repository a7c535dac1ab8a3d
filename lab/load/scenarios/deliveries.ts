import type { BenchSocket } from '../client.ts';

/** A conversation in which one participant sends and others receive. */
export type Channel = {
  /** Rejects when the server refuses the message. */
  send(): Promise<unknown>;
  /** Called when the oldest message that was not complete yet has reached all recipients. */
  onComplete: () => void;
};

/** A recipient's connection: calls `arrived` for each message that comes. */
export type Recipient = (arrived: () => void) => void;

/** Connected users, and the channels in which they send. */
export type Crowd = {
  channels: readonly Channel[];
  /** Bytes that have come to all of them. */
  bytes(): number;
  close(): void;
};

/** The text of each message. */
export const TEXT = 'The quick brown fox jumps over the lazy dog.';

const CREATED = '"operation":"create","object":{"type":"Message"';
const DATA = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: TEXT }] });

/** A channel from a socket to recipients' sockets that receive nothing but its messages. */
export function createChannel(
  sender: BenchSocket,
  conversation: string,
  recipients: readonly BenchSocket[],
): Channel {
  const object = `svc:///conversations/${conversation}`;
  return channelTo(
    () => sender.request('Message.create', object, DATA),
    recipients.map((recipient) => (arrived) => {
      recipient.onPacket((text) => {
        if (text.includes(CREATED)) arrived();
      });
    }),
  );
}

/**
 * A channel to recipients that receive nothing but its messages. They arrive in order, so the n-th one of a recipient is the
 * n-th message: no message has to be parsed.
 */
export function channelTo(send: Channel['send'], recipients: readonly Recipient[]): Channel {
  const channel: Channel = { send, onComplete: () => undefined };
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
    recipient(() => note(received++));
  }
  return channel;
}

export type Load = {
  /** Messages in all channels together. */
  total: number;
  /** Messages of each channel that are under way at any time. */
  outstanding: number;
  /** No message is begun later than this; default: no limit. */
  withinMs?: number;
};

/**
 * Sends in all channels at once; a message makes room for the next when all recipients have it. Resolves with the times
 * from each send to the last recipient in milliseconds, the shortest first; rejects when a send is refused.
 */
export function driveDeliveries(
  channels: readonly Channel[],
  { total, outstanding, withinMs = Infinity }: Load,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + withinMs;
  let sent = 0;
  return new Promise((resolve, reject) => {
    function begin(channel: Channel, begun: number[]): void {
      if (sent >= total || performance.now() > end) return;
      sent += 1;
      begun.push(performance.now());
      channel.send().catch(reject);
    }
    for (const channel of channels) {
      const begun: number[] = [];
      channel.onComplete = () => {
        times.push(performance.now() - (begun.shift() ?? NaN));
        begin(channel, begun);
        if (times.length === sent) resolve(times.sort((a, b) => a - b));
      };
      for (let index = 0; index < outstanding; index++) begin(channel, begun);
    }
  });
}
