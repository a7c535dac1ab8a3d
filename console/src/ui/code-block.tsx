/** A text in fixed width, such as JSON. It is never read as HTML. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <pre className="code" tabIndex={0} aria-label={label} role="group">
      {text}
    </pre>
  );
}

export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? ''} label={label} />;
}
