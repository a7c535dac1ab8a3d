const SECRET_PROPERTY =
  /("[\w-]*(?:authorization|cookie|password|passphrase|secret|token|private_?key)s?":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
const SECRET_PARAMETER =
  /([?&;][\w-]*(?:authorization|cookie|password|passphrase|secret|token|private_?key)s?=)[^&;\s"\\]+/gi;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
/** A token that a WebSocket client offers as a subprotocol; names of files are shorter. */
const SUBPROTOCOL_TOKEN = /\b([a-z\d]+-token\.)[\w-]{20,}/gi;
const URL_PASSWORD = /(:\/\/[^/:@\s"]*:)[^/@\s"]+@/g;

/**
 * Removes credentials from a serialised log line: values of properties and of query parameters whose names end like
 * those of secrets, authorization schemes and tokens among subprotocols in any text, and passwords in addresses.
 */
export function redact(line: string): string {
  return line
    .replace(SECRET_PROPERTY, '$1"[redacted]"')
    .replace(SECRET_PARAMETER, '$1[redacted]')
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(SUBPROTOCOL_TOKEN, '$1[redacted]')
    .replace(URL_PASSWORD, '$1[redacted]@');
}
