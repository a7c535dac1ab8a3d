/**
 * The packages to download: ejabberd and Erlang whether they are installed or not, so that all of them are of one version, and the
 * libraries that this machine lacks. Takes the output of `apt-cache depends --recurse` and `apt-get install --simulate`.
 */
export function neededPackages(depends: string, install: string): string[] {
  const own = depends.split('\n').filter((line) => /^(?:ejabberd|erlang)(?:-[a-z\d.+-]+)?$/.test(line));
  // With a version in brackets behind the name it is an upgrade of what is installed.
  const lacking = [...install.matchAll(/^Inst (lib[a-z\d.+-]+) \(/gm)].map(([, name = '']) => name);
  return [...new Set([...own, ...lacking])].sort();
}

/** The version in the output of `apt-cache show`; undefined if apt does not know the package. */
export function versionIn(shown: string): string | undefined {
  return /^Version: (\S+)$/m.exec(shown)?.[1];
}
