/** Forms of a text with a number; `{n}` stands for the number. Languages use those of `Intl.PluralRules`. */
export type Counted = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Everything that the components say, in one language. `{name}` and the like stand for what is shown there. */
export type Texts = {
  /** BCP 47, for numbers, times and the `lang` of the page. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';

  readonly conversations: string;
  readonly noConversations: string;
  readonly newConversation: string;
  readonly chooseConversation: string;
  readonly noSuchConversation: string;
  readonly loading: string;
  readonly back: string;
  readonly close: string;
  readonly cancel: string;
  readonly you: string;
  readonly onlyYou: string;
  readonly erasedUser: string;
  readonly unread: Counted;
  readonly participants: Counted;
  readonly online: string;
  readonly away: string;
  readonly busy: string;
  readonly offline: string;
  readonly lastSeen: string;
  readonly draft: string;

  readonly messagesWith: string;
  readonly noMessages: string;
  readonly newMessages: string;
  readonly jumpToNewest: string;
  readonly newBelow: Counted;
  readonly messageFrom: string;
  readonly sending: string;
  readonly failed: string;
  readonly sent: string;
  readonly delivered: string;
  readonly read: string;
  readonly retry: string;
  readonly discard: string;
  readonly edited: string;
  readonly reactions: string;
  readonly react: string;
  readonly whoReacted: string;
  readonly otherPeople: Counted;
  readonly typing: string;
  readonly typingMany: string;

  readonly message: string;
  readonly send: string;
  readonly sendFiles: string;
  readonly dropFiles: string;
  readonly removeFile: string;
  readonly uploading: string;
  readonly uploadFailed: string;
  readonly charactersLong: Counted;
  readonly sentAsFile: string;
  readonly notSent: string;
  readonly former: string;
  readonly muted: string;
  readonly mutedUntil: string;
  readonly reasonGiven: string;
  readonly frozen: string;
  readonly readOnly: string;
  readonly slowMode: string;
  readonly writeAgain: string;
  readonly emoji: string;
  readonly searchEmoji: string;
  readonly noEmoji: string;
  /** Smileys, people, nature, food, places, activities, objects, symbols, flags. */
  readonly emojiGroups: readonly string[];

  readonly image: string;
  readonly video: string;
  readonly audio: string;
  readonly file: string;
  readonly openImage: string;
  readonly download: string;
  readonly showAll: string;
  readonly contentGone: string;

  readonly details: string;
  readonly title: string;
  readonly save: string;
  readonly people: string;
  readonly addPeople: string;
  readonly removePerson: string;
  readonly leave: string;
  readonly deleteForMe: string;
  readonly userName: string;
  readonly addUser: string;
  readonly noSuchUser: string;
  readonly start: string;
  readonly more: string;
  readonly block: string;
  readonly unblock: string;
  readonly blocked: string;
  readonly roleOf: string;
  readonly owner: string;
  readonly moderator: string;
  readonly member: string;
  readonly observer: string;
  readonly restrictPerson: string;
  readonly mute: string;
  readonly ban: string;
  readonly ends: string;
  readonly after: string;
  readonly never: string;
  readonly reason: string;
  readonly restricted: string;
  readonly lift: string;
  readonly moderation: string;
  readonly freeze: string;
  readonly freezeHint: string;
  readonly slowModeLabel: string;
  readonly off: string;
  /** Slow mode as the type of the conversation has it. */
  readonly usual: string;

  readonly connecting: string;
  readonly offlineNotice: string;
  readonly noPlatform: string;
  readonly noApplication: string;
  readonly noTokenEndpoint: string;
  readonly wrongPlatform: string;
  readonly wrongApplication: string;
  readonly originNotAllowed: string;
  readonly tokenRefused: string;
  readonly tokenFailed: string;
  readonly tokenInvalid: string;
  readonly sessionExpired: string;
  readonly notShown: string;
  readonly platformBusy: string;
};
