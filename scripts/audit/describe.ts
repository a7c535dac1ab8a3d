type Advisory = {
  module_name: string;
  severity: string;
  title: string;
  url: string;
  patched_versions: string;
};
type Report = { advisories?: Record<string, Advisory>; error?: { message?: string } };

/** Lines of an audit for people, with the exit code: 0 nothing found, 1 vulnerabilities, 2 no answer. */
export type AuditResult = { lines: string[]; exitCode: 0 | 1 | 2 };

/** Reads the output of `pnpm audit --json`. */
export function describeAudit(stdout: string, stderr: string): AuditResult {
  const report = parse(stdout);
  if (!report?.advisories) {
    const reason = report?.error?.message ?? (stderr.trim() || 'it gave no report');
    return { lines: [`Not audited, the registry did not answer: ${reason}`], exitCode: 2 };
  }
  const advisories = Object.values(report.advisories);
  if (advisories.length === 0) return { lines: ['No known vulnerabilities.'], exitCode: 0 };
  const lines = advisories.map(
    ({ module_name, severity, title, url, patched_versions }) =>
      `${module_name}: ${severity}: ${title}; fixed in ${patched_versions}; ${url}`,
  );
  return { lines, exitCode: 1 };
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
}
