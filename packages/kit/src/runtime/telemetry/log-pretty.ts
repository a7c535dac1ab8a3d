/** Formats a JSON log line as `12:00:00.000 INFO  service: message key=value`, a stack below it. */
export function formatPretty(line: string): string {
  const { time, level, service, msg, pid: _pid, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const stacks: string[] = [];
  const fields = Object.entries(rest).map(([key, value]) => {
    if (isError(value)) stacks.push(value.stack);
    return `${key}=${isError(value) ? value.message : typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${String(service)}:`;
  return [[head, msg, ...fields].filter(Boolean).join(' '), ...stacks].join('\n') + '\n';
}

function isError(value: unknown): value is { message: string; stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}
