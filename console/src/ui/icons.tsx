const PATHS = {
  overview: 'M4 13h6V4H4v9Zm10 7h6V11h-6v9ZM4 20h6v-4H4v4ZM14 4v4h6V4h-6Z',
  apps: 'M12 3 4 7.5v9L12 21l8-4.5v-9L12 3Zm0 9 8-4.5M12 12v9M12 12 4 7.5',
  audit: 'M9 5h6M9 5a2 2 0 0 0-2-2H6v18h12V3h-1a2 2 0 0 0-2 2M9 11h6M9 15h4',
  cells: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  sessions: 'M4 5h16v11H4zM9 20h6M12 16v4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  keys: 'M15 9a4 4 0 1 0-3.5 4L14 15.5h2v2h2v2h3v-3l-6.3-5.3A4 4 0 0 0 15 9Z',
  tokens: 'M4 7h16v10H4zM8 12h.01M12 12h.01M16 12h.01',
  validator: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6l7-3Zm-3 9 2 2 4-4',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3 2.5-6 6-6s6 3 6 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14c2 .8 3 3 3 6',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM5 20c0-4 3-6 7-6s7 2 7 6',
  conversations: 'M4 5h16v11H10l-5 4v-4H4z',
  types: 'M5 6h14M5 12h8M5 18h8M16 15l2 2 4-4',
  webhooks: 'M9 8a3 3 0 1 1 5 2.2L17 15m0 0a3 3 0 1 1-2.8 4H7m0 0a3 3 0 1 1-1-5.8L9.5 9.5',
  announcements: 'M4 10v4h3l8 4V6l-8 4H4Zm14-1c1.3 1.600 1.3 4.400 0 6',
  exports: 'M12 4v10m0 0 4-4m-4 4-4-4M4 17v3h16v-3',
  push: 'M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15L6 16Zm4 4h4',
  playground: 'M5 5l6 7-6 7M13 19h6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10Z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5 10 17.5 19 7',
  cross: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4',
  back: 'M14 6l-6 6 6 6',
  warning: 'M12 4 3 20h18L12 4Zm0 6v5M12 17.5v.01',
  docs: 'M5 4h9l5 5v11H5zM14 4v5h5M8 13h8M8 17h5',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture of strokes in the colour of the text; no reader announces it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of the console. */
export function Mark() {
  return (
    <svg width={24} height={24} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path fill="var(--mantine-color-indigo-filled)" d="M1 2h14v9H7l-4 4v-4H1z" />
    </svg>
  );
}
