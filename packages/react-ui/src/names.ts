import type { BasicIdentity, Conversation, Message } from '@parley/client';
import type { Language } from './settings.ts';

/** The name under which a user is shown. */
export function nameOf(identity: BasicIdentity | null, { texts }: Language): string {
  return identity ? identity.display_name || identity.user_id : texts.erasedUser;
}

/** The title in the metadata, else the names of the other participants. */
export function titleOf({ metadata, others }: Conversation, language: Language): string {
  const { title } = metadata;
  if (typeof title === 'string' && title.trim() !== '') return title;
  return others.map((one) => nameOf(one, language)).join(', ') || language.texts.onlyYou;
}

/** A message in one line, as lists and screen readers give it. */
export function summaryOf({ text, parts }: Message, { texts }: Language): string {
  if (text) return text.replace(/\s+/g, ' ');
  const [file] = parts.filter(({ content }) => content !== null);
  return file ? (file.filename ?? texts[kindOf(file.mime_type)]) : '';
}

/** The way in which a file is shown, by its media type. */
export function kindOf(type: string): 'image' | 'video' | 'audio' | 'file' {
  const [kind] = type.toLowerCase().split('/');
  // A picture of SVG may hold a program, which the browser does not run in an image.
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}
