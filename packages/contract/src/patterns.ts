// Regular expressions that parsers and schemas share, as the texts that schemas hold; they need no flag but `u`.

/** A UUID of any version, in either case, within a larger expression. */
export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** `type/subtype` with parameters or without; no control characters. */
export const MIME_TYPE =
  '^[\\w!#$&^.+\\-]+/[\\w!#$&^.+\\-]+ *(;[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*)?$';

/**
 * A name of a file, not a path: no control characters (Cc), no characters that set the direction of text (Bidi_Control), which make a
 * name look like another one, and none of the separators of paths.
 */
export const FILENAME =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069/\\\\]+$';

/** The key of a reaction; not that its UTF-8 is short enough, and in NFC. */
export const REACTION_KEY =
  '^(?!(\\.{1,2}|__proto__)$)[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069/\\\\]{1,64}$';

/** The name of a type of conversations. */
export const TYPE_NAME = '^[a-z0-9_-]{1,32}$';

/** ASCII without spaces, where each `%` begins an escape; not that the escapes are UTF-8. */
export const PERCENT_ENCODED = '^([!-$&-~]|%[0-9a-fA-F]{2})+$';

/** Standard base64 with its padding, without line breaks. */
export const BASE64 = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/** Any text but U+0000, which Postgres stores in no text. */
export const STORABLE_TEXT = '^[^\\u0000]*$';

/** Neither `.` nor `..`: an expression that looks ahead, for the beginning of a pattern. */
export const NO_DOT_SEGMENT = '(?!\\.{1,2}$)';

/** The word before `:///` in the URI of a record, of any deployment. No new user id begins with such a word and `:///`. */
export const URI_WORD = '[\\p{L}\\p{M}\\p{N}_+.\\-]+';
