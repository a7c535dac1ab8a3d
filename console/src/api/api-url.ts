// Where the API of clients and servers is, which may be another host than the console's own.
let apiUrl = location.origin;

/** Called when the session is read. */
export function setApiUrl(address: string): void {
  apiUrl = new URL(address).origin;
}

/** The origin of the API, such as `https://chat.example.org`. */
export function apiOrigin(): string {
  return apiUrl;
}

/** An address of the API or of the documentation; `path` begins with a slash. */
export function apiAddress(path: string): string {
  return apiUrl === location.origin ? path : apiUrl + path;
}

export function socketAddress(): string {
  return `${apiUrl.replace(/^http/, 'ws')}/websocket`;
}
