import type { ParleyError } from '../errors.ts';
import type { ConnectionState } from '../sync/state.ts';
import type { Message } from './message.ts';

export type { ConnectionState };

/** Something that an application's developers may want to log. The library itself prints nothing. */
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
  /** A message of another user is new on this device, as it happens or after a reconnection; once for each, in every tab. */
  message: Message;
  /** A message of this user was stored by the platform; once for each. */
  sent: Message;
  /** The platform refused something of this user for good; once for each refusal. */
  failed: {
    /** The kind of operation that was refused: `send`, `createConversation`, `patch`, `deleteMessage` and so on. */
    operation: string;
    /** URI of the conversation that it concerned. */
    conversation: string | undefined;
    /** URI of the message. */
    message: string | undefined;
    error: ParleyError;
  };
  /** `identityToken` gave a token of another user than the one whose records are here. Nothing was applied or sent. */
  otherUser: { expected: string; found: string };
  /** The session has ended by `logout`, here or in another tab. */
  loggedOut: undefined;
};
