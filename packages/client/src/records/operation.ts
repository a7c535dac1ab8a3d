import type {
  ConversationPatch,
  MessageMetadata,
  MessagePatch,
  Metadata,
  NotificationInput,
  PartInput,
} from '@parley/contract/gen/records';
import type { ErrorRecord } from '../errors.ts';

/** A user's action that must be sent to the platform. */
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

/** An action that the platform has not confirmed yet. It is in the store from before the first attempt until it is settled. */
export type Operation = {
  readonly id: string;
  /** Increases with each operation of the same device. */
  readonly order: number;
  /** Present when the operation was permanently refused: it waits for `retry` or `discard`. */
  readonly error?: ErrorRecord;
  /** The platform has performed the operation: it is applied on top of the records until packets update them. */
  readonly isDone?: true;
  /** The operation was confirmed by its packet, which arrived before the answer. */
  readonly isHeard?: true;
  readonly action: Action;
};

/** Operations of one lane are performed one after the other. */
export function laneOf({ action }: Operation): string {
  return 'conversation' in action ? action.conversation : 'announcements';
}

/** Prefix of the content id of a part whose file is being uploaded; the id of the upload follows. */
export const UPLOAD = 'upload:';

/** The ids of the uploads for which a message waits. */
export function uploadsOf(parts: readonly { readonly content?: { readonly id: string } | null }[]): string[] {
  return parts.flatMap(({ content }) =>
    content?.id.startsWith(UPLOAD) ? content.id.slice(UPLOAD.length) : [],
  );
}

/** Whether a message waits for files that have not been uploaded yet. */
export function waitsForFiles(action: Action): boolean {
  return action.kind === 'send' && uploadsOf(action.parts).length > 0;
}
