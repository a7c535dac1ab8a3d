/** An element of a list in a header, such as `text/html; q=0.5`. */
export type HeaderElement = {
  /** The text before the parameters, trimmed, with its case unchanged. */
  value: string;
  /**
   * Parameters by name in lower case, without quotes and escapes. The last of several with the same name applies; a parameter without `=`
   * has an empty value.
   */
  parameters: ReadonlyMap<string, string>;
};

/**
 * The elements of a list with parameters. Separators within quoted strings are ignored; an unterminated quoted string extends to the end of
 * the header. Empty elements are left out. Runs in linear time. RFC 9110, 5.6
 */
export function parseHeaderList(header: string): HeaderElement[] {
  return splitUnquoted(header, ',').flatMap((element) => {
    const [value = '', ...parameters] = splitUnquoted(element, ';').map((part) => part.trim());
    return value === '' && parameters.length === 0
      ? []
      : [{ value, parameters: new Map(parameters.map(parameterOf)) }];
  });
}

/** The members of a list of tokens, which has no quoted strings, such as `Sec-WebSocket-Protocol`; empty ones are left out. */
export function parseTokenList(header: string): string[] {
  return header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at += 1;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function parameterOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toLowerCase(), ''];
  const value = text.slice(equals + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const bare = isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  return [text.slice(0, equals).trim().toLowerCase(), bare];
}
