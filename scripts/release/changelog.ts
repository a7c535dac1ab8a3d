const UNRELEASED = '## Unreleased\n';

/** The changes that no release has yet, without the heading; empty when there are none. */
export function unreleasedChanges(text: string): string {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) return '';
  const rest = text.slice(start + UNRELEASED.length);
  const end = rest.search(/^## /m);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** Puts the unreleased changes under the heading of `version`, below an empty section for those to come. */
export function moveUnreleased(text: string, version: string): string {
  return text.replace(UNRELEASED, `${UNRELEASED}\n## ${version}\n`);
}

/** Adds the commit of a release below its heading, where the checks of compatibility look for it. */
export function nameCommit(text: string, version: string, commit: string): string {
  return text.replace(`## ${version}\n`, `## ${version}\n\nCommit \`${commit}\`.\n`);
}
