import type { ParleyError } from '../errors.ts';
import type { ConnectionState } from '../sync/state.ts';
import type { Message } from './message.ts';

export type { ConnectionState };

/** An event that an application's developers may want to log. The library itself prints nothing. */
export type Diagnostic = {
  /** The kind of event, such as `socket_closed`, `replayed`, `read_afresh`, `pruned`, `request_retried`, `packet_ignored`. */
  readonly name: string;
  /** JSON; never a token, and no text of a message. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** The events of `client.on`. */
export type ClientEvents = {
  diagnostic: Diagnostic;
  connection: ConnectionState;
  /** A message of another user is new on this device, live or after a reconnection; once per message, in every tab. */
  message: Message;
  /** A message of this user was stored by the platform; once per message. */
  sent: Message;
  /** The platform permanently refused an operation of this user; once per refusal. */
  failed: {
    /** The kind of operation that was refused: `send`, `createConversation`, `patch`, `deleteMessage` and so on. */
    operation: string;
    /** URI of the conversation concerned. */
    conversation: string | undefined;
    /** URI of the message. */
    message: string | undefined;
    error: ParleyError;
  };
  /** `identityToken` returned a token of a user other than the one whose records are open. Nothing was applied or sent. */
  otherUser: { expected: string; found: string };
  /** The session has ended by `logout`, here or in another tab. */
  loggedOut: undefined;
};
