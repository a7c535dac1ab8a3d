import type {
  ConversationPatch,
  MessageMetadata,
  MessagePatch,
  Metadata,
  NotificationInput,
  PartInput,
} from '@parley/contract/gen/records';
import type { ErrorRecord } from '../errors.ts';

/** Something that the user did and the platform has to learn of. */
export type Action =
  | {
      readonly kind: 'createConversation';
      readonly conversation: string;
      readonly participants: readonly string[];
      readonly distinct: boolean;
      readonly metadata: Metadata;
      /** Absent: `default`. */
      readonly type?: string;
    }
  | {
      readonly kind: 'send';
      readonly conversation: string;
      readonly message: string;
      readonly parts: readonly PartInput[];
      readonly notification?: NotificationInput;
      readonly metadata?: MessageMetadata;
    }
  | { readonly kind: 'patch'; readonly conversation: string; readonly steps: ConversationPatch }
  | {
      readonly kind: 'deleteConversation';
      readonly conversation: string;
      readonly mode: DeletionMode;
      readonly leave: boolean;
    }
  | {
      readonly kind: 'deleteMessage';
      readonly conversation: string;
      readonly message: string;
      readonly mode: DeletionMode;
    }
  | {
      readonly kind: 'editParts';
      readonly conversation: string;
      readonly message: string;
      readonly edit: PartsEdit;
    }
  | {
      readonly kind: 'patchMessage';
      readonly conversation: string;
      readonly message: string;
      readonly steps: MessagePatch;
    }
  | {
      readonly kind: 'react';
      readonly conversation: string;
      readonly message: string;
      readonly key: string;
      readonly replace?: boolean;
      readonly notification?: NotificationInput;
    }
  | {
      readonly kind: 'unreact';
      readonly conversation: string;
      readonly message: string;
      readonly key: string;
    }
  | {
      readonly kind: 'receipt';
      readonly conversation: string;
      readonly message: string;
      readonly type: ReceiptType;
    }
  | { readonly kind: 'markAllRead'; readonly conversation: string; readonly position: number }
  | { readonly kind: 'announcementReceipt'; readonly announcement: string; readonly type: ReceiptType }
  | { readonly kind: 'deleteAnnouncement'; readonly announcement: string };

export type DeletionMode = 'my_devices' | 'all_participants';
export type ReceiptType = 'delivery' | 'read';

/** `part` is the URI of a part. */
export type PartsEdit =
  | { readonly kind: 'add'; readonly part: PartInput }
  | { readonly kind: 'replace'; readonly part: string; readonly by: PartInput }
  | { readonly kind: 'replaceAll'; readonly parts: readonly PartInput[] }
  | { readonly kind: 'remove'; readonly part: string };

/** An action that the platform has not confirmed yet. It is in the store from before the first try until it is settled. */
export type Operation = {
  readonly id: string;
  /** Greater for a later one of the same device. */
  readonly order: number;
  /** Refused for good: it waits for `retry` or `discard`. */
  readonly error?: ErrorRecord;
  /** The platform has performed it: it is shown on top of the records until they show it by the packets. */
  readonly isDone?: true;
  /** Confirmed by packet, which came before the answer. */
  readonly isHeard?: true;
  readonly action: Action;
};

/** Operations of one lane are performed one after the other. */
export function laneOf({ action }: Operation): string {
  return 'conversation' in action ? action.conversation : 'announcements';
}

/** Begins the content id of a part whose file is on its way; the id of the upload follows. */
export const UPLOAD = 'upload:';

/** The ids of the uploads that a message waits for. */
export function uploadsOf(parts: readonly { readonly content?: { readonly id: string } | null }[]): string[] {
  return parts.flatMap(({ content }) =>
    content?.id.startsWith(UPLOAD) ? content.id.slice(UPLOAD.length) : [],
  );
}

/** Whether a message waits for files that have not arrived at the platform. */
export function waitsForFiles(action: Action): boolean {
  return action.kind === 'send' && uploadsOf(action.parts).length > 0;
}
