import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'waiting' | 'info' | 'neutral';

/** A state in one word; its colour says nothing that the word does not. */
export function Tag({
  tone = 'neutral',
  title,
  role,
  children,
}: {
  tone?: Tone;
  title?: string | undefined;
  role?: 'status';
  children: ReactNode;
}) {
  return (
    <span className="tag" data-tone={tone} title={title} role={role}>
      {children}
    </span>
  );
}
