const NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Whether a host name, in the form that `URL` gives it, means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return NAME.test(hostname);
}

/** Whether the address of a peer, as `net.Socket` gives it, is of this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ADDRESS.test(address);
}
