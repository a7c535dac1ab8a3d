import { withoutSlashesAtEnd } from '../../../client/src/base-url.ts';
import { ChatProblem } from './problem.ts';

/** Addresses of a chat, and of the backend that vouches for its user. */
export type ChatSettings = {
  /** Address of the platform, without a slash at its end. */
  readonly platform: string;
  /** URI of the application. */
  readonly application: string;
  /** Address that answers `POST {nonce}` with `{identity_token}`. */
  readonly tokenEndpoint: string;
};

/** The attributes of the element; null for those that it does not have. */
export type ChatAttributes = { readonly [Name in keyof ChatSettings]: string | null };

const APPLICATION = /^\w+:\/\/\/apps\/\w+\/[\w-]+$/;

/**
 * Reads the attributes. Addresses may be relative to the page.
 *
 * @throws ChatProblem if one is missing or cannot be right.
 */
export function readSettings({ platform, application, tokenEndpoint }: ChatAttributes): ChatSettings {
  if (!platform) throw new ChatProblem('noPlatform');
  if (!application) throw new ChatProblem('noApplication');
  if (!tokenEndpoint) throw new ChatProblem('noTokenEndpoint');
  const address = addressOf(platform);
  if (address === undefined) throw new ChatProblem('wrongPlatform', { url: platform });
  const url = withoutSlashesAtEnd(address);
  if (!APPLICATION.test(application)) throw new ChatProblem('wrongApplication', { url, application });
  const endpoint = addressOf(tokenEndpoint);
  if (endpoint === undefined)
    throw new ChatProblem('tokenFailed', { url: tokenEndpoint, reason: 'not an address' });
  return { platform: url, application, tokenEndpoint: endpoint };
}

/** A whole address of HTTP. */
function addressOf(text: string): string | undefined {
  if (!URL.canParse(text, document.baseURI)) return undefined;
  const { href, protocol } = new URL(text, document.baseURI);
  return /^https?:$/.test(protocol) ? href : undefined;
}
