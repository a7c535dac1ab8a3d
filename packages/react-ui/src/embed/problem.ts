import type { Texts } from '../texts/texts.ts';

/** Texts that say why a chat cannot be shown. */
type ProblemText =
  | 'noPlatform'
  | 'noApplication'
  | 'noTokenEndpoint'
  | 'wrongPlatform'
  | 'wrongApplication'
  | 'originNotAllowed'
  | 'tokenRefused'
  | 'tokenFailed'
  | 'tokenInvalid'
  | 'sessionExpired'
  | 'notShown'
  | 'platformBusy';

/** A reason why a chat cannot be shown, which is said in one sentence. */
export class ChatProblem extends Error {
  readonly text: ProblemText & keyof Texts;
  /** Values of the placeholders in the text. */
  readonly values: Readonly<Record<string, string>>;

  /** Whether another try may succeed, although nobody changes anything. */
  readonly isTransient: boolean;

  constructor(
    text: ProblemText,
    values: Readonly<Record<string, string>> = {},
    { isTransient = false }: { readonly isTransient?: boolean } = {},
  ) {
    super(text);
    this.text = text;
    this.values = values;
    this.isTransient = isTransient;
  }
}
