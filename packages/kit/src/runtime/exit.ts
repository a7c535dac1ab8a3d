/**
 * Ends the process now. `process.exit` joins the threads of libuv first, and a thread that looks up a name (getaddrinfo)
 * cannot be interrupted: while name servers do not answer, the process would stay for half a minute and more. A new
 * program image ends all threads at once, so in that case the process becomes one that exits with the code.
 * docs/decisions/deploying.md#ending-while-name-servers-are-silent
 */
export function exitNow(code: number): never {
  const isLookingUp = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
  if (isLookingUp && process.execve)
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
  process.exit(code);
}
