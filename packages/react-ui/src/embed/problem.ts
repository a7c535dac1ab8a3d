import { ParleyError } from '@parley/client';
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

/** A reason why a chat cannot be shown, which is said in one sentence. Its data are those of `fromData`. */
export class ChatProblem extends ParleyError {
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
    super({ id: text, data: { text, values } });
    this.text = text;
    this.values = values;
    this.isTransient = isTransient;
  }

  /** The problem with these data, as another tab of the user says it; undefined for other data. */
  static fromData(data: unknown): ChatProblem | undefined {
    const { text, values } = (data ?? {}) as Partial<ChatProblem>;
    return text && new ChatProblem(text, values);
  }
}
