import type { ReactElement } from 'react';

/** Outlines in a square of 24 units. */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  send: 'M4 12l16-8-5 16-3.500-6.500L4 12Zm7.500 1.500L20 4',
  attach:
    'M20 11.500l-8.200 8.200a5 5 0 0 1-7.100-7.100l8.700-8.700a3.300 3.300 0 0 1 4.700 4.700l-8.600 8.600a1.700 1.700 0 0 1-2.400-2.400l7.600-7.500',
  emoji:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.500 14.500s1.200 1.800 3.500 1.800 3.500-1.800 3.500-1.800M9 9.500h.010M15 9.500h.010',
  react:
    'M20 11.500a8.500 8.500 0 1 1-7.500-8M8.500 14s1 1.800 3 1.800 3-1.800 3-1.800M8.700 9.500h.010M14 9.500h.010M19 2v6M16 5h6',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M12 5.500h.010M12 12h.010M12 18.500h.010',
  details: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.500M12 7.500h.010',
  down: 'M12 5v14M6 13l6 6 6-6',
  add: 'M12 5v14M5 12h14',
  file: 'M14 3H6v18h12V7l-4-4Zm0 0v4h4',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  sending: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2',
  sent: 'M5 12.500l4.500 4.500L19 7.500',
  delivered: 'M2 12.500l4.500 4.500L16 7.500M11 16l1 1 9.500-9.500',
  failed: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.500v5.500M12 16.500h.010',
} as const;

/** A sign without a text: what it stands for is said beside it. */
export function Icon({ name }: { name: keyof typeof PATHS }): ReactElement {
  return (
    <svg className="parley-icon" data-icon={name} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
