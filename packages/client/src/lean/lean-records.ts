/** Types of all properties in lean records. Each kind of record has some of them, and omits null values. */
export type LeanPerson = {
  readonly user_id: string;
  readonly display_name?: string | null;
  readonly avatar_url?: string | null;
};

export type LeanContent = {
  readonly id: string;
  readonly size?: number;
  readonly download_url?: string;
  readonly expiration?: string;
};

export type LeanPart = {
  readonly id: string;
  readonly mime_type?: string;
  readonly body?: string;
  readonly encoding?: string;
  readonly updated_at?: string;
  readonly content?: LeanContent;
  readonly filename?: string;
};

export type LeanNotification = { readonly title?: string; readonly text?: string; readonly sound?: string };

/** The statuses of recipients by their user ids. */
export type LeanStatuses = Readonly<Record<string, string>>;

/** Reactions by key; `recent`: user ids. */
export type LeanReactions = Readonly<
  Record<string, { readonly count: number; readonly recent: readonly string[]; readonly own?: true }>
>;

export type LeanMessage = {
  readonly id: string;
  readonly position: number;
  readonly conversation: string;
  readonly parts: readonly LeanPart[];
  readonly sent_at: string;
  readonly sender?: LeanPerson;
  readonly is_unread?: boolean;
  readonly recipient_status?: LeanStatuses;
  readonly updated_at?: string;
  readonly notification?: LeanNotification;
  readonly metadata?: object;
  readonly reactions?: LeanReactions;
};

export type LeanConversation = {
  readonly id: string;
  readonly participants: readonly LeanPerson[];
  readonly last_message?: LeanMessage;
};

export type LeanAnnouncement = {
  readonly id: string;
  readonly recipients: readonly string[];
  readonly parts: readonly LeanPart[];
  readonly sender?: LeanPerson;
  readonly recipient_status: LeanStatuses;
  readonly notification?: LeanNotification;
};

export type LeanIdentity = LeanPerson & {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone_number?: string;
  readonly email_address?: string;
  readonly public_key?: string;
  readonly presence: { readonly status: string; readonly last_seen_at?: string };
};

export type LeanStep = {
  readonly operation: string;
  readonly property: string;
  readonly id?: string;
  /** As the property has it: a user, a part, the content of a part, or JSON that is the same on every socket. */
  readonly value?: LeanPerson & LeanPart & LeanContent & readonly string[];
};

/** Refers to an object. `message`: the message of a part. */
export type LeanObject = { readonly type: string; readonly id: string; readonly message: string };

/** The data of a signal names its sender; that of an operation may name the reader. */
export type LeanMentions = { readonly identity?: LeanPerson; readonly sender?: LeanPerson };

/** The body of a packet. The type of `data` depends on the operation and the object. */
export type LeanBody = { readonly object: LeanObject; readonly unread_message_count?: unknown } & (
  | { readonly operation: 'update'; readonly data: readonly LeanStep[] }
  | { readonly operation: 'delete'; readonly data: object }
  | {
      readonly operation: 'create';
      readonly data: LeanMessage & LeanConversation & LeanAnnouncement & LeanIdentity;
    }
  | { readonly operation?: undefined; readonly data: LeanMentions }
);
